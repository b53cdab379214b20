package skill_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

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

func toolbox() map[string]skill.Tool {
	tools := clock.Tools(func() time.Time { return time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC) })
	for name, tool := range calc.Tools() {
		tools[name] = tool
	}
	return tools
}

func load(t *testing.T, names ...string) []*skill.Skill {
	t.Helper()
	top, skills := repository(t), []*skill.Skill(nil)
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
	agent, err := skill.Attach("You help.", skills...)
	if err != nil || agent.System != "You help.\n\nBe polite.\n\n"+skills[1].Instructions() {
		t.Fatalf("%q, %v", agent.System, err)
	}
	if skills[0].Tools() != nil {
		t.Error("a skill with only instructions has no tools")
	}
	again, err := skill.Attach("You help again.", skills...)
	if err != nil || !strings.HasPrefix(again.System, "You help again.\n\nBe polite.") {
		t.Error("agents share a skill")
	}
}

func TestDuplicatesAreLoud(t *testing.T) {
	skills := load(t, "calc", "calc")
	if _, err := skill.Attach("", skills...); err == nil || !strings.Contains(err.Error(), "attached twice") {
		t.Error(err)
	}
	other := skill.New("other", "", skills[0].Tools()...)
	if _, err := skill.Attach("", skills[0], other); err == nil || !strings.Contains(err.Error(), "calc_evaluate") {
		t.Error(err)
	}
}

func TestAgentLoopGoesRoundByTheTools(t *testing.T) {
	agent, err := skill.Attach("You help.", load(t, "clock", "calc")...)
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
	answer, err := agent.Run(model, "What time is it?")
	if err != nil || answer != "done" || strings.Join(said, "|") != "What time is it?|2026-11-20T12:00:00Z|42" {
		t.Errorf("%s, %v, %v", answer, err, said)
	}
}
