package skill_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"example.com/majordomo/agent"
	"example.com/majordomo/calc"
	"example.com/majordomo/clock"
	"example.com/majordomo/skill"
)

// repository returns a repository with the skills clock and calc of examples/skills, and one without tools.
func repository(t *testing.T) string {
	t.Helper()
	top := t.TempDir()
	if out, err := exec.Command("git", "init", "--quiet", top).CombinedOutput(); err != nil {
		t.Fatal(string(out))
	}
	for _, name := range []string{"clock", "calc"} {
		text, err := os.ReadFile(filepath.Join("..", "..", "..", "skills", name, "SKILL.md"))
		if err != nil {
			t.Fatal(err)
		}
		write(t, top, name, string(text))
	}
	write(t, top, "polite", "---\nname: polite\ndescription: Stays polite. Use always.\n---\nBe polite.\n")
	return top
}

func write(t *testing.T, top, name, text string) {
	t.Helper()
	place := filepath.Join(top, ".agent", "skills", name)
	if err := os.MkdirAll(place, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(place, "SKILL.md"), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func toolbox() agent.Toolbox {
	tools := clock.Tools(func() time.Time { return time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC) })
	for name, tool := range calc.Tools() {
		tools[name] = tool
	}
	return tools
}

func load(t *testing.T, names ...string) []agent.Skill {
	t.Helper()
	top, skills := repository(t), []agent.Skill(nil)
	for _, name := range names {
		loaded, err := skill.Load(top, name, toolbox())
		if err != nil {
			t.Fatal(err)
		}
		skills = append(skills, loaded)
	}
	return skills
}

func TestInstructionsFollowTheOrderOfAttachment(t *testing.T) {
	skills := load(t, "polite", "calc")
	helper, err := agent.Attach("You help.", skills...)
	if err != nil || helper.System != "You help.\n\nBe polite.\n\n"+skills[1].Instructions() {
		t.Fatalf("%q, %v", helper.System, err)
	}
	if strings.Contains(helper.System, "\n\n\n") || !strings.HasPrefix(skills[1].Instructions(), "# Calc\n") {
		t.Errorf("one blank line separates skills: %q", helper.System)
	}
	if skills[0].Tools() != nil {
		t.Error("a skill with only instructions has no tools")
	}
	again, err := agent.Attach("You help again.", skills...)
	if err != nil || !strings.HasPrefix(again.System, "You help again.\n\nBe polite.") {
		t.Error("agents share a skill")
	}
}

func TestDuplicatesAreLoud(t *testing.T) {
	skills := load(t, "calc", "calc")
	if _, err := agent.Attach("", skills...); err == nil || !strings.Contains(err.Error(), "attached twice") {
		t.Error(err)
	}
	other := skill.New("other", skill.WithTools(skills[0].Tools()...))
	if _, err := agent.Attach("", skills[0], other); err == nil || !strings.Contains(err.Error(), "calc_evaluate") {
		t.Error(err)
	}
}

func TestAgentLoopGoesRoundByTheTools(t *testing.T) {
	helper, err := agent.Attach("You help.", load(t, "clock", "calc")...)
	if err != nil {
		t.Fatal(err)
	}
	said := []string{}
	steps := [][2]string{{"clock_now", "UTC"}, {"calc_evaluate", "6 * 7"}, {"", "done"}}
	model := func(system, last string) (string, string) {
		said = append(said, last)
		step := steps[0]
		steps = steps[1:]
		return step[0], step[1]
	}
	answer, err := helper.Run(model, "What time is it?")
	if err != nil || answer != "done" || strings.Join(said, "|") != "What time is it?|2026-11-20T12:00:00Z|42" {
		t.Errorf("%s, %v, %v", answer, err, said)
	}
}

func TestToolsOfASkillAreKnown(t *testing.T) {
	top := repository(t)
	for name, missing := range map[string]string{"clock": "clock_now", "calc": "calc_evaluate"} {
		box := toolbox()
		delete(box, missing)
		if loaded, err := skill.Load(top, name, box); err == nil || !strings.Contains(err.Error(), missing) {
			t.Errorf("%s without its tool: %v, %v", name, loaded, err)
		}
	}
}

// polite satisfies the contract without the package skill.
type polite struct{}

func (polite) Name() string         { return "polite" }
func (polite) Instructions() string { return "Be polite." }
func (polite) Tools() []agent.Tool  { return nil }

func TestThirdPartiesSatisfyTheContract(t *testing.T) {
	helper, err := agent.Attach("You help.", polite{}, skill.New("brief", skill.WithInstructions("Be brief.")))
	if err != nil || helper.System != "You help.\n\nBe polite.\n\nBe brief." {
		t.Fatalf("%v, %v", helper, err)
	}
	if _, err := agent.Attach("", polite{}, polite{}); err == nil {
		t.Error("a skill is attached twice")
	}
}

func TestASkillIsNeverChanged(t *testing.T) {
	given := []agent.Tool{{Name: "first"}, {Name: "second"}}
	box := agent.Toolbox{"z": {Name: "z"}, "a": {Name: "a"}}
	for expected, shared := range map[string]*skill.Skill{
		"first second":     skill.New("tools", skill.WithTools(given...)),
		"first second a z": skill.New("both", skill.WithTools(given...), skill.WithToolbox(box)),
	} {
		names := func() string {
			found := []string{}
			for _, tool := range shared.Tools() {
				found = append(found, tool.Name)
			}
			return strings.Join(found, " ")
		}
		if names() != expected {
			t.Fatal(names())
		}
		handed := shared.Tools()
		handed[1].Name = "changed by an agent"
		_ = append(handed[:1], agent.Tool{Name: "appended"})
		given[0].Name = "changed by the caller of New"
		if names() != expected {
			t.Errorf("the skill is now %s", names())
		}
		given[0].Name = "first"
	}
}
