//! What an agent may change after it has read text of a tool or a page.

use memtape::statements::Selection;
use memtape::{At, Inbound, Origin, Reply, Session};
use memtape_testkit::TestWorkspace;
use serde_json::json;

#[test]
fn what_a_tool_asks_for_removes_nothing_of_others() {
    let test = TestWorkspace::new();
    let workspace = &test.workspace;
    let (_, lines) =
        workspace.zone().remember("The build server is anvil\nThe wiki is at wiki.local").unwrap();
    workspace.zone().daily("- signed the lease", None).unwrap();
    let conversation = workspace.conversation(Session::direct());
    conversation.turn(&Inbound::new("I am allergic to cashews"), |_| Ok(Reply::default())).unwrap();
    let statements = || workspace.statements().list(&Selection::default(), &At::head()).unwrap();
    let zone = || workspace.zone().view(&At::head()).unwrap().0;
    let statement = statements()[0].memory.reference().to_string();
    let before = zone();
    for origin in [Origin::Tool, Origin::Web] {
        let tools = workspace.tools().with_owner_tools().writing_as(origin);
        for (tool, arguments) in [
            ("memory_forget", json!({"text": "The wiki is at wiki.local"})),
            ("memory_forget", json!({"date": "2026-02-10"})),
            ("memory_forget", json!({"ref": lines[0].to_string()})),
            ("memory_forget", json!({"ref": statement})),
            ("memory_clear", json!({})),
        ] {
            let why = tools.call(tool, arguments.clone()).unwrap_err().to_string();
            assert!(why.contains("has a more trusted origin"), "{tool} {arguments}: {why}");
        }
        assert_eq!(zone().export(), before.export());
        assert_eq!(statements().len(), 1);
    }
    // What it saves is added, and may be removed again.
    let tools = workspace.tools().writing_as(Origin::Tool);
    let saved = tools.call("memory_save", json!({"content": "The wiki is at wiki.local\nThe wiki moved"}));
    assert_eq!(
        saved.unwrap(),
        "saved to long-term memory; the other lines stay, as you have read text of a tool or a page"
    );
    let after = zone();
    let texts: Vec<&str> = after.long_term.iter().map(|item| item.text.as_str()).collect();
    assert_eq!(texts, ["The build server is anvil", "The wiki is at wiki.local", "The wiki moved"]);
    assert_eq!(tools.call("memory_forget", json!({"text": "The wiki moved"})).unwrap(), "forgotten");
    assert_eq!(zone().export(), before.export());
}
