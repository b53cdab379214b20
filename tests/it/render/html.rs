//! The report page. `.ci/checks/report_page.mjs` opens it in a browser; here is what its text shows.

use sha2::{Digest as _, Sha256};
use skilltree_front_matter::text::Place;
use skilltree_lint::changes::Changes;
use skilltree_lint::lint::Warning;
use skilltree_report::render::Format;
use skilltree_runtimes::graph::{Edge, Graph, Graphs, Node, NodeKind};
use skilltree_runtimes::profile::Profiles;
use skilltree_skills::skill::SkillId;

use crate::render::fixture::{BAD, Case, SMALL, ordinary};
use crate::render::injection::hostile;

/// Returns the parts of a page between two texts.
fn between<'t>(page: &'t str, start: &str, end: &str) -> Vec<&'t str> {
    page.split(start).skip(1).map(|rest| rest.split(end).next().unwrap_or_default()).collect()
}

fn sha256(text: &str) -> String {
    data_encoding::BASE64.encode(&Sha256::digest(text))
}

#[test]
fn policy_allows_its_style_and_script_only() {
    let page = ordinary().render(Format::Html);
    let policy = between(&page, "http-equiv=\"Content-Security-Policy\" content=\"", "\"")[0].replace("&#x27;", "'");
    let (styles, scripts) = (between(&page, "<style>", "</style>"), between(&page, "<script>", "</script>"));
    assert_eq!((styles.len(), scripts.len()), (1, 1));
    let expected = format!(
        "default-src 'none'; style-src 'sha256-{}'; script-src 'sha256-{}'; base-uri 'none'; form-action 'none'",
        sha256(styles[0]),
        sha256(scripts[0])
    );
    assert_eq!(policy, expected);
    for attribute in [" src=", " style=", " onclick=", "@import", "url("] {
        assert!(!page.contains(attribute), "{attribute}");
    }
}

/// Every tag of the page is one of the template: text of the tree makes none.
#[test]
fn page_has_no_tags_of_the_tree() {
    let tags = |case: &Case| {
        let page = case.render(Format::Html);
        let tags = between(&page, "<", ">")
            .into_iter()
            .map(|tag| tag.split([' ', '\n']).next().unwrap_or_default().to_owned());
        tags.collect::<std::collections::BTreeSet<String>>()
    };
    let mut case = ordinary();
    case.report.warnings = vec![Warning { message: "<i>".into(), help: Some("<u>".into()), fails: false }];
    let known = [
        "!doctype", "a", "article", "b", "body", "br", "code", "del", "details", "div", "fieldset", "form", "h1", "h2",
        "h3", "head", "header", "html", "input", "ins", "label", "legend", "li", "main", "mark", "meta", "nav",
        "output", "p", "path", "pre", "rect", "script", "section", "span", "strong", "style", "summary", "svg",
        "table", "tbody", "td", "text", "th", "thead", "title", "tr", "ul",
    ];
    for case in [&case, &hostile()] {
        let foreign: Vec<String> =
            tags(case).into_iter().filter(|tag| !known.contains(&tag.trim_start_matches('/'))).collect();
        assert_eq!(foreign, Vec::<String>::new());
    }
    let links = hostile().render(Format::Html);
    for link in between(&links, "href=\"", "\"") {
        assert!(
            link.starts_with('#') || link.starts_with("https://github.com/skilltree-dev/skilltree/blob/v"),
            "{link}"
        );
    }
}

#[test]
fn matrix_has_a_column_for_every_runtime_that_reads_a_skill() {
    let page = ordinary().render(Format::Html);
    let matrix = between(&page, "<table class=\"matrix\">", "</table>")[0];
    let columns = between(matrix, "<th scope=\"col\"", "</th>").len();
    assert!(columns > 1 && columns < Profiles::default().ids().count(), "{columns}");
    let rows = between(matrix, "<tr><th scope=\"row\">", "</tr>").len()
        + between(matrix, "<tr data-problem><th scope=\"row\">", "</tr>").len();
    assert_eq!(rows, 2);
    assert_eq!(between(matrix, "<td class=\"", "</td>").len(), 2 * (columns - 1));
    assert!(!matrix.contains("<td class=\"not-read\">-</td>"), "{matrix}");
    let place = |title: &str| matrix.find(title).unwrap_or_else(|| panic!("{title}: {matrix}"));
    assert!(place("s/pdf") < place("s/ocr"), "the skill with an error is first: {matrix}");
}

/// The lines of the file, the marked place, and the lines before and after the edit.
#[test]
fn finding_shows_its_lines_and_its_edit() {
    let page = ordinary().render(Format::Html);
    let finding = between(&page, "<article class=\"finding error\"", "</article>")[0];
    assert!(finding.contains("<span class=\"number\">2</span>name: <mark>pdf-tools</mark>\n"), "{finding}");
    assert!(
        finding.contains(
            "<del><span class=\"sign\">-</span>name: pdf-tools</del>\n<ins><span class=\"sign\">+</span>name: pdf</ins>"
        ),
        "{finding}"
    );
    assert!(!finding.contains("Unsafe"), "{finding}");
    let mut case = ordinary();
    case.report.findings.iter_mut().flat_map(|finding| &mut finding.edits).for_each(|edit| edit.safe = false);
    assert!(case.render(Format::Html).contains("Unsafe edit"));
}

#[test]
fn page_is_bounded_and_says_so() {
    let text = "bad\n".repeat(10_000);
    let mut case = Case::new(&[("s/x/SKILL.md", &text)]);
    let file = case.file("s/x/SKILL.md");
    for line in 0..10_000 {
        case.report(
            if line % 2 == 0 { &BAD } else { &SMALL },
            Place::new(file, line * 4..line * 4 + 3),
            &"<long> ".repeat(100),
        );
    }
    let page = case.render(Format::Html);
    assert!(page.len() < 12 << 20 && page.len() > 4 << 20, "{}", page.len());
    let shown = page.matches("<article class=\"finding error\"").count();
    let (all, errors) = (10_000 - shown, 5_000 - shown);
    let grouped = skilltree_front_matter::text::grouped;
    let words = format!(
        "<p class=\"omitted\">{} more findings are not shown, {} of them errors</p>",
        grouped(all),
        grouped(errors)
    );
    assert!(page.contains(&words), "{shown}");
    assert_eq!(page.matches("<article class=\"finding note\"").count(), 0);
}

/// Paths of the tree are text of the page, and large graphs are cut.
#[test]
fn graphs_are_escaped_and_bounded() {
    let node = |path: &str, depth| Node { path: path.into(), kind: NodeKind::Reference, depth };
    let nodes = (0..500).map(|number| node(&format!("references/<b>{number}\u{202e}.md"), Some(1)));
    let nodes = std::iter::once(node("SKILL.md", Some(0))).chain(nodes).collect();
    let edge = |to| Edge { from: 0, to, line: 1, column: 1, is_link: true };
    let graph = Graph { nodes, edges: (1..501).map(edge).collect(), depth: 1, cycles: vec![vec![1, 2]] };
    let mut case = ordinary();
    case.options.graphs = Graphs { of_skills: vec![(SkillId(0), graph); 300], omitted: 5 };
    let page = case.render(Format::Html);
    let graphs = between(&page, "<section id=\"graphs\"", "</section>")[0];
    assert!(graphs.len() < 400_000, "{}", graphs.len());
    assert!(!graphs.contains("<b>") && !graphs.contains('\u{202e}'), "text of the tree is markup");
    let drawn = graphs.matches("<details").count();
    assert!(drawn > 10 && graphs.contains(&format!("{} more graphs not drawn", 305 - drawn)), "{drawn}");
    assert!(graphs.contains("more files or references not drawn") && graphs.contains("Cycle: references/"), "{graphs}");
}

/// What changes for the model, as `skilltree diff` shows it.
#[test]
fn prompt_diff_is_shown_line_by_line() {
    assert!(!ordinary().render(Format::Html).contains("id=\"prompt\""));
    let mut case = ordinary();
    case.options.changes = Some(Changes {
        list_before: 1_210,
        list: 1_480,
        is_block_changed: true,
        patch: "--- a\n+++ b\n@@ -1 +1 @@\n-- pdf <b>\n+- pdf \u{202e}</pre>\n same\n".into(),
        ..Changes::default()
    });
    let page = case.render(Format::Html);
    let prompt = between(&page, "<section id=\"prompt\"", "</section>")[0];
    assert!(prompt.contains("list 1,210 to 1,480 tokens"), "{prompt}");
    let lines = between(between(prompt, "<pre", "</pre>")[0], "<span class=", "</span>");
    let expected = [
        "\"head\">--- a",
        "\"head\">+++ b",
        "\"head\">@@ -1 +1 @@",
        "\"removed\">-- pdf &lt;b&gt;",
        "\"added\">+- pdf \\u{202e}&lt;/pre&gt;",
        "\"same\"> same",
    ];
    assert_eq!(lines, expected);
    case.options.changes = Some(Changes { patch: "+x\n".repeat(6_000).into(), ..Changes::default() });
    assert!(case.render(Format::Html).contains("1,000 more lines not shown"));
}
