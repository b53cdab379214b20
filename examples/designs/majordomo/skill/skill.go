// Package skill turns skills of an artifact into values that a program attaches to an agent (majordomo, ADR-0013).
package skill

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Tool is a function that a model may call with one text.
type Tool struct {
	Name string
	Call func(input string) (string, error)
}

// Skill is read-only after construction, so several agents may share it.
type Skill struct {
	name, instructions string
	tools              []Tool
}

// New makes a skill. Without tools, it has only instructions.
func New(name, instructions string, tools ...Tool) *Skill {
	return &Skill{name, instructions, append([]Tool(nil), tools...)}
}

// Name returns the name.
func (s *Skill) Name() string { return s.name }

// Instructions returns the text for the system prompt.
func (s *Skill) Instructions() string { return s.instructions }

// Tools returns the tools; nil means none.
func (s *Skill) Tools() []Tool { return append([]Tool(nil), s.tools...) }

type index struct {
	Schema string
	Skills []struct {
		Name  string
		Tools []string
	}
}

// Load asks skilltree for a skill and gives it the tools that its front matter names.
func Load(repository, name string, toolbox map[string]Tool) (*Skill, error) {
	program := os.Getenv("SKILLTREE")
	if program == "" {
		program = "skilltree"
	}
	out, err := os.MkdirTemp("", "skill")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(out)
	command := exec.Command(program, "-C", repository, "prompt", "--quiet", "--profile", "majordomo", "--skill", name, "--out", out)
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
	var tools []Tool
	for _, name := range found.Skills[0].Tools {
		tool, known := toolbox[name]
		if !known {
			return nil, fmt.Errorf("the program has no tool %s", name)
		}
		tools = append(tools, tool)
	}
	return New(found.Skills[0].Name, strings.TrimSuffix(string(block), "\n"), tools...), nil
}

// Agent has a system prompt and a merged set of tools.
type Agent struct {
	System string
	tools  map[string]Tool
}

// Attach appends the instructions in this order, separated by blank lines. A name that is there twice is an error.
func Attach(system string, skills ...*Skill) (*Agent, error) {
	parts, tools, seen := []string{system}, map[string]Tool{}, map[string]bool{}
	for _, skill := range skills {
		if seen[skill.Name()] {
			return nil, fmt.Errorf("the skill %s is attached twice", skill.Name())
		}
		seen[skill.Name()] = true
		parts = append(parts, skill.Instructions())
		for _, tool := range skill.Tools() {
			if _, twice := tools[tool.Name]; twice {
				return nil, fmt.Errorf("two skills have the tool %s", tool.Name)
			}
			tools[tool.Name] = tool
		}
	}
	return &Agent{strings.Join(parts, "\n\n"), tools}, nil
}

// Run is the loop of an agent: the model answers with a tool call, or with its last word.
func (a *Agent) Run(model func(system, said string) (tool, text string), task string) (string, error) {
	for said := task; ; {
		tool, text := model(a.System, said)
		if tool == "" {
			return text, nil
		}
		called, known := a.tools[tool]
		if !known {
			return "", fmt.Errorf("there is no tool %s", tool)
		}
		result, err := called.Call(text)
		if err != nil {
			result = "error: " + err.Error()
		}
		said = result
	}
}
