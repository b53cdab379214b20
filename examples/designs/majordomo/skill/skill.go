// Package skill is the standard way to make a skill: from values, or from a SKILL.md that skilltree checked (majordomo, ADR-0013).
package skill

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strings"

	"example.com/majordomo/agent"
)

// Skill is read-only after construction, so several agents may share it.
type Skill struct {
	name, instructions string
	tools              []agent.Tool
}

// The contract of its consumer.
var _ agent.Skill = (*Skill)(nil)

// Option sets a part of a skill.
type Option func(*Skill)

// WithInstructions sets the text for the system prompt.
func WithInstructions(text string) Option {
	return func(s *Skill) { s.instructions = text }
}

// WithTools adds tools.
func WithTools(tools ...agent.Tool) Option {
	return func(s *Skill) { s.tools = append(s.tools, tools...) }
}

// WithToolbox adds all tools of a toolbox, by name.
func WithToolbox(toolbox agent.Toolbox) Option {
	return func(s *Skill) {
		names := make([]string, 0, len(toolbox))
		for name := range toolbox {
			names = append(names, name)
		}
		sort.Strings(names)
		for _, name := range names {
			s.tools = append(s.tools, toolbox[name])
		}
	}
}

// New makes a skill. Without tools, it has only instructions.
func New(name string, options ...Option) *Skill {
	skill := &Skill{name: name}
	for _, option := range options {
		option(skill)
	}
	return skill
}

// Name returns the name.
func (s *Skill) Name() string { return s.name }

// Instructions returns the text for the system prompt.
func (s *Skill) Instructions() string { return s.instructions }

// Tools returns a copy of the tools; nil means none.
func (s *Skill) Tools() []agent.Tool { return append([]agent.Tool(nil), s.tools...) }

type index struct {
	Schema string
	Skills []struct {
		Name  string
		Tools []string
	}
}

// Load asks skilltree for a skill and gives it the tools that its front matter names.
func Load(repository, name string, toolbox agent.Toolbox) (*Skill, error) {
	program := os.Getenv("SKILLTREE")
	if program == "" {
		program = "skilltree"
	}
	out, err := os.MkdirTemp("", "skill")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(out)
	command := exec.Command(program, "-C", repository, "prompt", "--quiet", "--profile=majordomo", "--skill="+name, "--out="+out)
	if message, err := command.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%s: %w", strings.TrimSpace(string(message)), err)
	}
	text, err := os.ReadFile(filepath.Join(out, "skills.json"))
	if err != nil {
		return nil, err
	}
	var found index
	if err := json.Unmarshal(text, &found); err != nil {
		return nil, err
	}
	if found.Schema != "skilltree/prompt-index/v1" || len(found.Skills) != 1 {
		return nil, errors.New("skills.json is not the index of one skill")
	}
	block, err := os.ReadFile(filepath.Join(out, "available-skills.md"))
	if err != nil {
		return nil, err
	}
	var tools []agent.Tool
	for _, name := range found.Skills[0].Tools {
		tool, known := toolbox[name]
		if !known {
			return nil, fmt.Errorf("the program has no tool %s", name)
		}
		tools = append(tools, tool)
	}
	// One blank line separates skills: those around a body are not part of it.
	return New(found.Skills[0].Name, WithInstructions(strings.Trim(string(block), "\n")), WithTools(tools...)), nil
}
