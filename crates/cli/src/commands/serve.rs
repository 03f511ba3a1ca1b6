//! The `serve` and `token` commands.

use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use memtape::{Toolset, Workspace};
use memtape_server::http::tokens::{Kind, Token, Tokens};
use memtape_server::{WorkspacePool, http, workspace_pool};
use serde_json::{Value, json};

use super::Context;
use crate::args::{ServeArgs, TokenCommand, TokensOf};
use crate::locate::{self, Place};
use crate::output::{Failure, Output, Result};
use crate::upstreams;

/// The name of the token that the first `serve` creates.
const FIRST: &str = "owner";

pub(super) fn run(context: &Context<'_>, args: &ServeArgs) -> Result<ExitCode> {
    let (branch, flags) = (context.cli.shared.branch.clone(), super::config::flags_of(context));
    let workspaces = match &args.workspaces {
        Some(address) if is_address(address) => cached(args, &address.to_string_lossy(), branch, flags)?,
        Some(dir) => {
            let dir = existing(dir)?;
            let opened = move |place: &Place| locate::open_for_server(place, branch.clone(), flags.clone());
            WorkspacePool::many(dir, Arc::new(move |dir: &Path| opened(&Place::existing(dir))))
        }
        None => {
            let place = locate::server_place(&context.cli.shared)?;
            let opened = move |place: &Place| locate::open_for_server(place, branch.clone(), flags.clone());
            // A server that cannot open its only workspace is better off not starting.
            drop(opened(&place)?);
            let dir = existing(&place.dir)?;
            WorkspacePool::one(dir, Arc::new(move |dir: &Path| opened(&Place::existing(dir))))
        }
    };
    let tokens = Tokens::of(workspaces.dir());
    let is_first = tokens.list().map_err(|e| unusable(&e))?.is_empty() && !workspaces.is_many();
    let output = context.output;
    let dir = workspaces.dir().display().to_string();
    let options = http::Options {
        listen: args.listen,
        workspaces,
        hosts: args.host.clone(),
        origins: args.origin.clone(),
        ticket: None,
    };
    let ready = |address| {
        // A server that cannot listen would create a token that nobody ever sees.
        let first = if is_first { Some(tokens.add(owners(FIRST))?) } else { None };
        output.note(format_args!(
            "memtape serves {dir} at http://{address}: MCP at /mcp, JSON below /v1, the inspector at /inspect"
        ));
        if let Some(token) = first {
            output.note(format_args!("token {FIRST}, shown only now: {token}"));
            output.note("`memtape token add NAME` creates another one, `memtape token remove` ends one");
        }
        Ok(())
    };
    http::serve(options, http::Stop::Signal, ready)
        .map_err(|e| Failure::Unusable(format!("cannot serve {}: {e}", args.listen)))?;
    Ok(ExitCode::SUCCESS)
}

/// Returns whether a place of workspaces is the address of an upstream.
fn is_address(place: &Path) -> bool {
    place.to_str().is_some_and(|text| text.contains("://"))
}

/// Returns the workspaces of a database, with replicas in the cache.
fn cached(
    args: &ServeArgs,
    address: &str,
    branch: Option<String>,
    flags: Vec<String>,
) -> Result<WorkspacePool> {
    if !["postgres://", "postgresql://"].iter().any(|scheme| address.starts_with(scheme)) {
        return Err(Failure::Usage("serve --workspaces takes a directory or postgres://…".into()));
    }
    let dir = args
        .cache
        .as_ref()
        .ok_or_else(|| Failure::Usage("name a directory for the replicas with --cache DIR".into()))?;
    let label = upstreams::open(address)?.label().to_owned();
    let marked = std::fs::create_dir_all(dir).and_then(|()| memtape::mark_upstream(dir, &label));
    marked.map_err(|e| Failure::Unusable(format!("cannot use {}: {e}", dir.display())))?;
    let address = address.to_owned();
    let open = move |dir: &Path| {
        let url = memtape_remote::workspace_at(&address, &workspace_pool::cached_name(dir));
        let upstream = memtape_remote::open(&url).map_err(memtape::Error::caller)?;
        locate::open_replica(dir, upstream, branch.clone(), flags.clone())
    };
    Ok(WorkspacePool::cached(existing(dir)?, args.cache_size.saturating_mul(1_000_000), Arc::new(open)))
}

/// Returns a directory as an absolute path.
pub(super) fn existing(dir: &Path) -> Result<PathBuf> {
    dir.canonicalize().map_err(|e| match e.kind() {
        io::ErrorKind::NotFound => {
            memtape::Error::NotFound(format!("there is no directory {}", dir.display())).into()
        }
        _ => Failure::Usage(format!("cannot use {}: {e}", dir.display())),
    })
}

fn owners(name: &str) -> Token {
    Token {
        name: name.to_owned(),
        hash: String::new(),
        kind: Kind::Owner,
        workspace: None,
        tools: vec![Toolset::Core.as_str().to_owned()],
        read_only: false,
    }
}

pub(super) fn token(context: &Context<'_>, command: &TokenCommand) -> Result<ExitCode> {
    let output = context.output;
    match command {
        TokenCommand::Add { name, session, user, gateway, tools, read_only, of } => {
            let kind = match (session, gateway) {
                (Some(session), _) => Kind::Fixed { session: session.to_string(), user: user.clone() },
                (None, Some(prefix)) => Kind::Gateway { prefix: prefix.clone() },
                (None, None) => Kind::Owner,
            };
            let tools = tools.iter().map(|toolset| toolset.as_str().to_owned()).collect();
            let workspace = opened_by(of)?;
            let token = Token { kind, tools, read_only: *read_only, workspace, ..owners(name) };
            let text = tokens(context, of, true)?.add(token).map_err(|e| unusable(&e))?;
            match output.json {
                true => output.value(&json!({"name": name, "token": text}))?,
                false => output.line(text)?,
            }
        }
        TokenCommand::List { of } => {
            list(&tokens(context, of, false)?.list().map_err(|e| unusable(&e))?, output)?;
        }
        TokenCommand::Remove { name, of } => {
            if !tokens(context, of, false)?.remove(name).map_err(|e| unusable(&e))? {
                return Err(memtape::Error::NotFound(format!("there is no token {name:?}")).into());
            }
            match output.json {
                true => output.value(&json!({"removed": name}))?,
                false => output.line(format_args!("removed {name}"))?,
            }
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Returns the tokens of the workspace, or of the directory of workspaces. With `creates`, `~/.memtape` is created if
/// there is none.
fn tokens(context: &Context<'_>, of: &TokensOf, creates: bool) -> Result<Tokens> {
    let dir = match &of.workspaces {
        Some(dir) => existing(dir)?,
        None => {
            let place = locate::server_place(&context.cli.shared)?;
            if creates && place.is_fresh() {
                drop(locate::open(&place, context.options(&place.dir)?, context.output)?);
            }
            if !place.dir.exists() {
                let remedy = match place.is_fresh() {
                    true => "`memtape token add` creates this one",
                    false => "`memtape init DIR` creates one",
                };
                return Err(Failure::NoWorkspace {
                    message: format!("there is no workspace in {}", place.dir.display()),
                    hint: format!("-C DIR names another workspace; {remedy}"),
                });
            }
            existing(&place.dir)?
        }
    };
    Ok(Tokens::of(&dir))
}

/// Returns the workspace that a new token opens, if there are several.
fn opened_by(of: &TokensOf) -> Result<Option<String>> {
    match (&of.workspaces, &of.opens) {
        (None, _) => Ok(None),
        (Some(_), None) => Err(Failure::Usage("name the workspace of the token with --opens NAME".into())),
        // A replica is made when it is first used.
        (Some(dir), Some(name)) if memtape::marked_upstream(dir).is_ok_and(|mark| mark.is_some()) => {
            if name.contains('%') {
                let why = format!("invalid workspace {name:?}: name it as it is, with / instead of %2F");
                return Err(Failure::Usage(why));
            }
            match workspace_pool::cached_dir(name) {
                Some(_) => Ok(Some(name.clone())),
                None => Err(Failure::Usage(format!("invalid workspace {name:?}: it is empty or too long"))),
            }
        }
        (Some(dir), Some(name)) if workspace_pool::is_name(name) && Workspace::exists_in(&dir.join(name)) => {
            Ok(Some(name.clone()))
        }
        (Some(dir), Some(name)) => {
            let message = format!("there is no workspace {name:?} in {}", dir.display());
            Err(memtape::Error::NotFound(message).into())
        }
    }
}

fn list(tokens: &[Token], output: &Output) -> Result<()> {
    let whose = |token: &Token| match &token.kind {
        Kind::Owner => "the owner".to_owned(),
        Kind::Fixed { session, user: None } => session.clone(),
        Kind::Fixed { session, user: Some(user) } => format!("{user} in {session}"),
        Kind::Gateway { prefix } => format!("the gateway of {prefix}"),
    };
    if output.json {
        let token = |token: &Token| {
            json!({
                "name": token.name,
                "for": whose(token),
                "workspace": token.workspace,
                "tools": token.tools,
                "read_only": token.read_only,
            })
        };
        return output.value(&Value::Array(tokens.iter().map(token).collect()));
    }
    if tokens.is_empty() {
        return output.line("No tokens.");
    }
    for token in tokens {
        let workspace = token.workspace.as_ref().map_or(String::new(), |name| format!(", workspace {name}"));
        let how = if token.read_only { ", read-only" } else { "" };
        let tools = token.tools.join(",");
        output.line(format_args!("{}: {}{workspace}{how}, tools {tools}", token.name, whose(token)))?;
    }
    Ok(())
}

fn unusable(e: &io::Error) -> Failure {
    match e.kind() {
        io::ErrorKind::InvalidInput | io::ErrorKind::AlreadyExists => Failure::Usage(e.to_string()),
        _ => Failure::Unusable(format!("cannot use the tokens: {e}")),
    }
}
