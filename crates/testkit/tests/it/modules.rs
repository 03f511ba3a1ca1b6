//! The imports between the modules of a crate, read from the sources, and their cycles.
//!
//! Every path counts, in `use` trees, code and macro arguments, and re-exports are followed to the definition of a
//! name. Siblings must not import each other in a cycle; the modules below a module count as a part of it. A parent and
//! its own children may import each other. Tests may import anything.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use proc_macro2::{TokenStream, TokenTree};
use syn::visit::{self, Visit};
use syn::{Attribute, Item, UseTree, Visibility};

/// A module by the names that lead to it; the crate itself has none.
type Name = Vec<String>;

/// The names and paths of a module.
#[derive(Debug, Default)]
struct Module {
    /// Every path in it, as written.
    paths: Vec<Name>,
    /// The names that it imports or re-exports, with the path of each.
    names: BTreeMap<String, Name>,
}

/// The modules of one crate.
#[derive(Debug, Default)]
pub(crate) struct Modules(BTreeMap<Name, Module>);

impl Modules {
    /// Reads the sources of a crate from its `src`.
    pub(crate) fn read(src: &Path) -> Self {
        let mut sources = BTreeMap::new();
        collect(src, &[], &mut sources);
        Self::of(sources)
    }

    /// Reads modules from their sources.
    pub(crate) fn of(sources: BTreeMap<Name, String>) -> Self {
        let mut modules = BTreeMap::new();
        let mut of_tests: Vec<Name> = Vec::new();
        for (name, source) in sources {
            let file = syn::parse_file(&source).unwrap_or_else(|e| panic!("{}: {e}", name.join("::")));
            let mut reading = Reading { module: Module::default(), of_tests: Vec::new() };
            reading.visit_file(&file);
            of_tests.extend(reading.of_tests.into_iter().map(|child| [name.clone(), vec![child]].concat()));
            modules.insert(name, reading.module);
        }
        modules.retain(|name, _| !of_tests.iter().any(|test| name.starts_with(test)));
        Self(modules)
    }

    /// Returns the circles: for each the modules in it, with the imports that make it.
    pub(crate) fn circles(&self) -> Vec<String> {
        let imports = self.imports();
        let parents: BTreeSet<&[String]> =
            self.0.keys().flat_map(|name| (0..name.len()).map(|n| &name[..n])).collect();
        let mut circles = Vec::new();
        for parent in parents {
            let below = |name: &Name| name.strip_prefix(parent).and_then(|rest| rest.first().cloned());
            let mut siblings: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
            let mut reasons: BTreeMap<(String, String), (&Name, &Name)> = BTreeMap::new();
            for (from, to) in &imports {
                if let (Some(one), Some(other)) = (below(from), below(to))
                    && one != other
                {
                    siblings.entry(one.clone()).or_default().insert(other.clone());
                    reasons.entry((one, other)).or_insert((from, to));
                }
            }
            if let Some(circle) = circle(&siblings) {
                let step = |pair: &[String]| {
                    let (from, to) = reasons[&(pair[0].clone(), pair[1].clone())];
                    format!("{} imports {}", from.join("::"), to.join("::"))
                };
                circles.push(circle.windows(2).map(step).collect::<Vec<_>>().join(", "));
            }
        }
        circles
    }

    /// Every pair of a module and another that it imports.
    fn imports(&self) -> BTreeSet<(Name, Name)> {
        let mut imports = BTreeSet::new();
        for (name, module) in &self.0 {
            let targets = module.paths.iter().filter_map(|path| self.target(name, path, 0));
            imports.extend(targets.filter(|to| to != name).map(|to| (name.clone(), to)));
        }
        imports
    }

    /// The module that defines what a path in a module leads to; `None` for another crate's.
    fn target(&self, module: &Name, path: &[String], followed: usize) -> Option<Name> {
        let first = path.first()?;
        let child = [module.as_slice(), std::slice::from_ref(first)].concat();
        let absolute = match first.as_str() {
            "crate" => path[1..].to_vec(),
            "self" => [module, &path[1..]].concat(),
            "super" => {
                let up = path.iter().take_while(|part| *part == "super").count();
                [&module[..module.len().checked_sub(up)?], &path[up..]].concat()
            }
            _ if self.0.contains_key(&child) => [module, path].concat(),
            name => {
                let named = &self.0[module].names.get(name)?;
                // A path that begins with an imported name continues from its definition.
                if followed > 8 || named.first() == Some(first) && named.len() == 1 {
                    return None;
                }
                let path = [named.as_slice(), &path[1..]].concat();
                return self.target(module, &path, followed + 1);
            }
        };
        let known = (0..=absolute.len()).rev().find(|n| self.0.contains_key(&absolute[..*n]))?;
        let (found, rest) = absolute.split_at(known);
        // A re-exported name is defined elsewhere.
        let re_exported = rest.first().filter(|name| self.0[found].names.contains_key(*name));
        if re_exported.is_some() && followed <= 8 && found != module.as_slice() {
            return self.target(&found.to_vec(), rest, followed + 1);
        }
        Some(found.to_vec())
    }
}

/// Reads the sources below a folder; `name` is the module that the folder belongs to.
fn collect(folder: &Path, name: &[String], sources: &mut BTreeMap<Name, String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let stem = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let own = match stem.as_str() {
            "lib" | "main" => name.to_vec(),
            "bin" => continue,
            _ => [name, std::slice::from_ref(&stem)].concat(),
        };
        if path.is_dir() {
            collect(&path, &own, sources);
        } else if path.extension().is_some_and(|end| end == "rs") {
            sources.insert(own, fs::read_to_string(&path).unwrap());
        }
    }
}

/// A circle among nodes, the first one again at its end; `None` where there is none.
fn circle(graph: &BTreeMap<String, BTreeSet<String>>) -> Option<Vec<String>> {
    fn walk(
        node: &str,
        graph: &BTreeMap<String, BTreeSet<String>>,
        path: &mut Vec<String>,
        done: &mut BTreeSet<String>,
    ) -> Option<Vec<String>> {
        if let Some(start) = path.iter().position(|on_path| on_path == node) {
            return Some([&path[start..], &[node.to_owned()]].concat());
        }
        if !done.insert(node.to_owned()) {
            return None;
        }
        path.push(node.to_owned());
        let found = graph.get(node).into_iter().flatten().find_map(|next| walk(next, graph, path, done));
        path.pop();
        found
    }
    let mut done = BTreeSet::new();
    graph.keys().find_map(|node| walk(node, graph, &mut Vec::new(), &mut done))
}

/// Reads one file.
struct Reading {
    module: Module,
    /// Its children that only tests have.
    of_tests: Vec<String>,
}

impl Reading {
    fn add_use(&mut self, prefix: &[String], tree: &UseTree, is_public: bool) {
        let joined = |name: String| [prefix, &[name]].concat();
        let (name, path) = match tree {
            UseTree::Path(path) => {
                return self.add_use(&joined(path.ident.to_string()), &path.tree, is_public);
            }
            UseTree::Group(group) => {
                return group.items.iter().for_each(|tree| self.add_use(prefix, tree, is_public));
            }
            UseTree::Glob(_) => return self.module.paths.push(prefix.to_vec()),
            UseTree::Name(name) if name.ident == "self" => {
                (prefix.last().cloned().unwrap_or_default(), prefix.to_vec())
            }
            UseTree::Name(name) => (name.ident.to_string(), joined(name.ident.to_string())),
            UseTree::Rename(rename) => (rename.rename.to_string(), joined(rename.ident.to_string())),
        };
        // A re-export is no use of its name.
        if !is_public {
            self.module.paths.push(path.clone());
        }
        self.module.names.insert(name, path);
    }

    fn add_tokens(&mut self, tokens: TokenStream) {
        let mut path: Name = Vec::new();
        let mut colons = 0;
        for token in tokens {
            match token {
                TokenTree::Ident(ident) if colons == 2 && !path.is_empty() => path.push(ident.to_string()),
                TokenTree::Ident(ident) => {
                    self.module.paths.push(std::mem::replace(&mut path, vec![ident.to_string()]));
                }
                TokenTree::Punct(punct) if punct.as_char() == ':' => {
                    colons += 1;
                    continue;
                }
                other => {
                    self.module.paths.push(std::mem::take(&mut path));
                    if let TokenTree::Group(group) = other {
                        self.add_tokens(group.stream());
                    }
                }
            }
            colons = 0;
        }
        self.module.paths.push(path);
        self.module.paths.retain(|path| path.len() > 1);
    }
}

impl<'ast> Visit<'ast> for Reading {
    fn visit_item(&mut self, item: &'ast Item) {
        let attributes = match item {
            Item::Fn(item) => &item.attrs,
            Item::Impl(item) => &item.attrs,
            Item::Mod(item) => &item.attrs,
            Item::Use(item) => &item.attrs,
            _ => &Vec::new(),
        };
        match item {
            Item::Mod(module) if is_of_tests(attributes) => self.of_tests.push(module.ident.to_string()),
            _ if is_of_tests(attributes) => {}
            Item::Use(item) => self.add_use(&[], &item.tree, !matches!(item.vis, Visibility::Inherited)),
            _ => visit::visit_item(self, item),
        }
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let names: Name = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        if names.len() > 1 {
            self.module.paths.push(names);
        }
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, called: &'ast syn::Macro) {
        self.add_tokens(called.tokens.clone());
        visit::visit_macro(self, called);
    }
}

fn is_of_tests(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("cfg")
            && attribute.parse_args::<syn::Path>().is_ok_and(|condition| condition.is_ident("test"))
    })
}

#[test]
fn circles_are_found_whichever_way_a_path_is_written() {
    let circles = |sources: &[(&str, &str)]| {
        let sources = sources.iter().map(|(name, source)| {
            let name = name.split("::").filter(|part| !part.is_empty()).map(str::to_owned).collect();
            (name, (*source).to_owned())
        });
        Modules::of(sources.collect()).circles()
    };
    // Paths in a tree of uses, and in code.
    let found = circles(&[
        ("", ""),
        ("a", "use crate::{std::x, b::{self, B as C}};"),
        ("b", "fn f() { crate::a::g() }"),
    ]);
    assert_eq!(found, ["a imports b, b imports a"]);
    // By a name that the crate re-exports, by a name that was imported, and in a macro.
    let found = circles(&[
        ("", "mod a; mod b; pub use b::B;"),
        ("a", "use crate::B;"),
        ("b", "use crate::a as other; fn f() { println!(\"{}\", other::g()) }"),
    ]);
    assert_eq!(found.len(), 1, "{found:?}");
    // Among children of different parents, which is a circle of the parents.
    let found = circles(&[
        ("", ""),
        ("a", "mod x;"),
        ("a::x", "use super::super::b::y::Y;"),
        ("b", ""),
        ("b::y", "use crate::a::A;"),
    ]);
    assert_eq!(found, ["a::x imports b::y, b::y imports a"]);
    // A parent with its own children, tests, and other crates are none.
    let found = circles(&[
        ("", ""),
        ("a", "mod x; use self::x::X; #[cfg(test)] mod tests { use crate::b::B; }"),
        ("a::x", "use super::A; use serde::Serialize;"),
        ("b", "use crate::a::A; #[cfg(test)] mod fixtures;"),
        ("b::fixtures", "use crate::c::C;"),
        ("c", "use crate::b::B;"),
    ]);
    assert_eq!(found, [""; 0]);
}
