//! What a change does for the model: both states are read, and their skills, prompt blocks and forecasts compared.

use skilltree_git::Revision;
use skilltree_lint::changes::{Changes, Side, authority, skill_pairs};
use skilltree_lint::compare::{Loosened, Pairs};
use skilltree_report::render::changes::Between;
use skilltree_skills::snapshot::{File, ObjectId, Origin};
use skilltree_skills::source::{self, Error, Source};

use crate::base;
use crate::failure::Failure;
use crate::hidden;
use crate::options::{Observer, Options, PromptOptions};
use crate::place::Place;
use crate::prompt::{self, Given};
use crate::purpose::{self, Purpose};
use crate::session::Session;
use crate::skipped::SkippedSkills;

/// The changes between two states, and the states.
pub(crate) struct Compared {
    pub(crate) changes: Changes,
    pub(crate) between: Between,
    /// The commits of the base and of the head, if they are commits.
    pub(crate) commits: [Option<ObjectId>; 2],
    /// The state that is compared.
    pub(crate) head: Session,
    /// The state that it is compared with.
    pub(crate) base: Session,
}

impl Compared {
    /// Warns of the findings that the head hides with looser settings or new ignores.
    pub(crate) fn warn_of_hidden(&self, options: &Options, observer: &dyn Observer) -> Result<(), Failure> {
        let (head, base) = (&self.head, &self.base);
        let pairs = Pairs::new(&head.report, &base.report);
        if Loosened::new(Some((&head.config, &base.config)), &head.report, &base.report, &pairs).is_empty() {
            return Ok(());
        }
        hidden::warn_unchecked(head, &base.source, options, observer)
    }
}

/// Opens the base of a comparison: the merge base with a revision. Before the first commit, and for a new branch, the base is
/// empty: every skill is new.
pub(crate) fn base(place: &Place, revision: &str, head: &Source, observer: &dyn Observer) -> Result<Source, Failure> {
    let nothing = || source::memory(Origin::Memory, Vec::new());
    if base::is_null(revision) {
        observer.warn("there is no base yet, so every skill is new", None);
        return Ok(nothing());
    }
    match skilltree_git::open_base(place, revision, head, &place.environment) {
        Err(error @ (Error::Unborn { .. } | Error::Empty)) => {
            observer.warn(&format!("{error}, so every skill is new"), None);
            Ok(nothing())
        }
        opened => Ok(opened?),
    }
}

/// Opens exactly a revision as the base.
pub(crate) fn exact_base(place: &Place, revision: &str) -> Result<Source, Failure> {
    Ok(skilltree_git::open(place, &Revision::Tree(revision.to_owned()), &place.environment)?)
}

/// Reads two states, each with its own configuration, and compares them.
pub(crate) fn between(
    place: &Place,
    head: Source,
    base: Source,
    options: &Options,
    observer: &dyn Observer,
) -> Result<Compared, Failure> {
    let head = read(place, head, options, observer)?;
    let base = read(place, base, options, observer)
        .map_err(|failure| Failure { message: format!("the base cannot be read: {}", failure.message), ..failure })?;
    let (changes, between) = compared(&head, &base, options, observer)?;
    Ok(Compared { changes, between, commits: [&base, &head].map(|side| side.source.origin().commit()), head, base })
}

/// Returns the changes since the base that a session was compared with; `None` without such a base. A change that cannot be
/// compared is still checked.
pub(crate) fn since_base(session: &Session, options: &Options, observer: &dyn Observer) -> Option<Changes> {
    let (place, head) = (&session.place, session.source.clone());
    let revision = options.base.as_deref().filter(|_| session.report.compared().is_some())?;
    let compared = skilltree_git::open_base(place, revision, &head, &place.environment)
        .map_err(Failure::from)
        .and_then(|base| between(place, head, base, options, observer));
    match compared {
        Ok(compared) => Some(compared.changes),
        Err(failure) => {
            let message = format!("what the change does for the model is not known: {}", failure.message);
            observer.warn(&message, failure.help.as_deref());
            None
        }
    }
}

fn compared(
    head: &Session,
    base: &Session,
    options: &Options,
    observer: &dyn Observer,
) -> Result<(Changes, Between), Failure> {
    observer.lint();
    let (own, other) = (&head.report.catalog, &base.report.catalog);
    let pairs = Pairs::of_catalogs(
        (own, |files: &[File]| head.source.bodies(files)),
        (other, |files: &[File]| base.source.bodies(files)),
    )?;
    let block = block(head, options, observer)?;
    // Equal digests mean equal blocks: an unchanged one is not built twice.
    let before = match is_same_block(head, base, options)? {
        true => block.clone(),
        false => self::block(base, options, observer)?,
    };
    let ids = [head, base].map(|session| session.source.ids(&session.report.catalog.parsed));
    let [ids, ids_before] = ids;
    let (ids, ids_before) = (ids?, ids_before?);
    let after = Side { catalog: own, ids: &ids, block: &block };
    let sides = (after, Side { catalog: other, ids: &ids_before, block: &before });
    let base_of = skill_pairs(own, other, &pairs);
    // A change of the targets hides nothing that it grants.
    let mut config = head.config.clone();
    match base.config.targets.is_empty() {
        true => config.targets.clear(),
        false if config.targets.is_empty() => {}
        false => config.targets.extend(base.config.targets.iter().cloned()),
    }
    let gains = authority::gains(((&head.source, own), sides.0), ((&base.source, other), sides.1), &base_of, &config)?;
    let changes = Changes::new(sides.0, sides.1, &pairs, &head.runtimes()).with_gains(&gains);
    let changes = changes.with_unchecked(&head.source)?;
    let is_nothing = *base.source.origin() == Origin::Memory;
    let description = if is_nothing { None } else { Some(base.description()?) };
    Ok((changes, Between { base: description, head: head.description()?, ..Between::default() }))
}

/// Reads the skills of a state, and finds those that errors keep out of the prompt block.
fn read(place: &Place, source: Source, options: &Options, observer: &dyn Observer) -> Result<Session, Failure> {
    // A profile limits the prompt block, not the skills. Unless others are named, its runtime is the one that they are for.
    let of_profile = options.profile.iter().filter(|_| !options.all_runtimes).cloned().collect();
    let targets = if options.targets.is_empty() { of_profile } else { options.targets.clone() };
    let all = Options { profile: None, base: None, targets, ..options.clone() };
    Ok(Session::new(place.clone(), place.clone(), source, &all, Purpose::Read, observer)?.reject())
}

/// Builds the prompt block: the bytes that `skilltree prompt` prints.
fn block(session: &Session, options: &Options, observer: &dyn Observer) -> Result<String, Failure> {
    if purpose::takes_discovered(&session.config) && options.profile.is_none() {
        return block_of(session, options);
    }
    // The block depends on fewer skills directories, and collisions with skills of the others do not count.
    let narrow = Options { base: None, ..options.clone() };
    let (place, source) = (session.place.clone(), session.source.clone());
    block_of(&Session::new(place.clone(), place, source, &narrow, Purpose::Prompt, observer)?, options)
}

fn block_of(session: &Session, options: &Options) -> Result<String, Failure> {
    let recipe = prompt::recipe(session, options, &PromptOptions::default())?;
    let contents = prompt::contents(session, &session.report.accepted(), &recipe);
    let artifact = prompt::build(session, SkippedSkills::default(), Given { contents, ..Given::default() }, &recipe)?;
    Ok(String::from_utf8_lossy(artifact.block()).into_owned())
}

fn is_same_block(head: &Session, base: &Session, options: &Options) -> Result<bool, Failure> {
    // The digests are of the default skills directories.
    if options.profile.is_some() {
        return Ok(false);
    }
    let wanted = PromptOptions::default();
    let own = prompt::digest(head, options, &wanted)?;
    Ok(own.is_some() && own == prompt::digest(base, options, &wanted)?)
}
