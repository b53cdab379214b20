//! Folders, files that an editor cannot show as they are, and configurations that are not in force.

use serde_json::json;

use super::client::{Client, edited, uri};
use super::skill;
use crate::common::{Repository, good};

#[test]
fn checks_with_defaults_next_to_a_configuration_that_was_never_good() {
    for (settings, message) in [
        ("extends = \"org.toml\"\n", "the policy `org.toml` that `extends` names does not exist"),
        ("extends = \"org.toml\n", ""),
    ] {
        let repository = Repository::new();
        repository.skill("skills", "pdf").write("skilltree.toml", settings).add();
        let mut client = Client::new(repository.path());
        let toml = uri(&repository.path().canonicalize().unwrap().join("skilltree.toml"));
        let pdf = skill(&repository, "pdf");
        let text = good("pdf").replace("what pdf says.", "what: pdf says.");
        client.open(&pdf, &text);
        assert_eq!(client.codes(&pdf, 1), ["invalid-yaml"]);
        client.wait("its finding", |client| client.codes_of(&toml) == ["invalid-configuration"]);
        let found = &client.published[&toml].1[0]["message"];
        assert!(found.as_str().unwrap().starts_with(message), "{found}");
        let actions = client.actions(&pdf, 0..0, Some("source.fixAll"));
        assert!(edited(&actions[0]["edit"], &pdf, &text).contains("\"Does what: pdf"), "{actions:?}");
        repository.write("skilltree.toml", "[rules]\ninvalid-yaml = \"off\"\n");
        client.notify("workspace/didChangeWatchedFiles", json!({ "changes": [] }));
        client
            .wait("the configuration", |client| client.codes_of(&toml).is_empty() && client.codes_of(&pdf).is_empty());
    }
}
