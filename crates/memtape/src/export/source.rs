//! What is exported: the memories at a point that an audience sees.

use std::cell::Cell;
use std::io::{self, Write};

use memtape_core::forms::blocks::BlockName;
use memtape_core::forms::zone::ZoneView;
use memtape_core::{Form, Memory, Point, Scope, Sensitivity};
use memtape_index::{Confidential, Question, Reader};

use super::{Export, Exported};
use crate::error::{Error, Result};
use crate::reading::zone_view_of;

/// The memories of an export, and how many were passed on or left out.
pub(super) struct Source<'a> {
    pub(super) reader: &'a Reader<'a>,
    pub(super) point: &'a Point,
    pub(super) export: &'a Export,
    memories: Cell<usize>,
    left_out: Cell<usize>,
    of_others: Cell<usize>,
}

impl<'a> Source<'a> {
    pub(super) fn new(reader: &'a Reader<'a>, point: &'a Point, export: &'a Export) -> Self {
        Self {
            reader,
            point,
            export,
            memories: Cell::default(),
            left_out: Cell::default(),
            of_others: Cell::default(),
        }
    }

    /// Returns whether a form is to be exported.
    pub(super) fn has(&self, form: Form) -> bool {
        self.export.form.is_none_or(|only| only == form)
    }

    /// Passes the memories of a form, or of every form, to `act`, oldest first. Confidential ones are counted,
    /// and passed only if they were asked for.
    pub(super) fn each(&self, form: Option<Form>, mut act: impl FnMut(Memory) -> Result<()>) -> Result<()> {
        let question = Question {
            audience: self.export.audience.clone(),
            confidential: Confidential::ToOwner,
            form,
            ..Question::default()
        };
        let mut failed = None;
        self.reader.each_memory(&question, self.point, |memory| {
            if self.hides(memory.sensitivity, memory.form, &memory.key) {
                self.leave_out(1);
                return Ok(true);
            }
            self.count(1);
            failed = act(memory).err();
            Ok(failed.is_none())
        })?;
        failed.map_or(Ok(()), Err)
    }

    /// Returns whether a memory is confidential and was not asked for. The owner's exports contain proposals for blocks.
    pub(super) fn hides(&self, sensitivity: Sensitivity, form: Form, key: &str) -> bool {
        let is_proposal = form == Form::BLOCKS && BlockName::of_proposed(key).is_some();
        let is_owners = self.export.confidential || is_proposal && self.export.audience.is_owner();
        sensitivity == Sensitivity::Confidential && !is_owners
    }

    /// Returns the memories of a form.
    pub(super) fn all(&self, form: Form) -> Result<Vec<Memory>> {
        let mut memories = Vec::new();
        self.each(Some(form), |memory| {
            memories.push(memory);
            Ok(())
        })?;
        Ok(memories)
    }

    /// Returns the zone in its parts, each with the scope that it belongs to.
    pub(super) fn zones(&self) -> Result<Vec<(Scope, ZoneView)>> {
        let mut scopes: Vec<(Scope, Vec<Memory>)> = Vec::new();
        for memory in self.all(Form::ZONE)? {
            let scope = Scope::from_label(&memory.scope).unwrap_or_default();
            match scopes.iter_mut().find(|(other, _)| *other == scope) {
                Some((_, memories)) => memories.push(memory),
                None => scopes.push((scope, vec![memory])),
            }
        }
        let view = |(scope, memories)| Ok((scope, zone_view_of(self.reader, self.point, memories)?));
        scopes.into_iter().map(view).collect()
    }

    /// Returns whether a format that cannot say whose a memory is may hold those of a scope: the workspace's and, for a
    /// chat or a user, its own.
    pub(super) fn is_own(&self, scope: &Scope) -> bool {
        *scope == Scope::Global || self.export.audience.home().is_ok_and(|home| home == *scope)
    }

    /// Returns the memories of a form for a format that cannot say whose they are. Those of others are counted.
    pub(super) fn own(&self, form: Form) -> Result<Vec<Memory>> {
        let is_own = |memory: &Memory| self.is_own(&Scope::from_label(&memory.scope).unwrap_or_default());
        let (own, others): (Vec<_>, Vec<_>) = self.all(form)?.into_iter().partition(is_own);
        self.memories.set(self.memories.get() - others.len());
        self.of_others.set(self.of_others.get() + others.len());
        Ok(own)
    }

    /// Returns the zone for a format that cannot say whose a line is.
    pub(super) fn zone(&self) -> Result<ZoneView> {
        let view = zone_view_of(self.reader, self.point, self.own(Form::ZONE)?)?;
        Ok(ZoneView { home: self.export.audience.home().unwrap_or_default(), ..view })
    }

    /// Counts memories that are exported.
    pub(super) fn count(&self, memories: usize) {
        self.memories.set(self.memories.get() + memories);
    }

    /// Counts confidential memories that are left out.
    pub(super) fn leave_out(&self, memories: usize) {
        self.left_out.set(self.left_out.get() + memories);
    }

    /// Returns the result so far.
    pub(super) fn exported(&self) -> Exported {
        Exported {
            memories: self.memories.get(),
            left_out: self.left_out.get(),
            of_others: self.of_others.get(),
            ..Exported::default()
        }
    }

    /// Returns the number of memories of the forms that the format cannot hold, if every form was asked for.
    pub(super) fn other_forms(&self) -> Result<usize> {
        let forms = self.export.format.forms();
        let mut count = 0;
        for form in Form::all().filter(|form| self.export.form.is_none() && !forms.contains(form)) {
            let question =
                Question { audience: self.export.audience.clone(), form: Some(form), ..Question::default() };
            self.reader.each_memory(&question, self.point, |_| {
                count += 1;
                Ok(true)
            })?;
        }
        Ok(count)
    }
}

/// Writes text to the writer of an export.
pub(super) fn put(out: &mut dyn Write, text: impl AsRef<[u8]>) -> Result<()> {
    out.write_all(text.as_ref()).map_err(failed)
}

/// Returns the error of a writer that failed. Its path is added where it is known.
pub(super) fn failed(source: io::Error) -> Error {
    Error::Export { path: "the export".into(), source }
}
