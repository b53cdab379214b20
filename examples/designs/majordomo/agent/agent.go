// Package agent has the contract of a skill, where its consumer is, and attaches skills to an agent (majordomo, ADR-0013).
package agent

import (
	"fmt"
	"strings"
)

// Tool is a function that a model may call with one text.
type Tool struct {
	Name string
	Call func(input string) (string, error)
}

// Toolbox has tools by name.
type Toolbox map[string]Tool

// Skill is what an agent needs to know of a skill. Anything with these methods can be attached, without the package skill.
type Skill interface {
	// Name returns the name, which is unique in an agent.
	Name() string
	// Instructions returns the text for the system prompt.
	Instructions() string
	// Tools returns the tools; nil means none.
	Tools() []Tool
}

// Agent has a system prompt and a merged set of tools.
type Agent struct {
	System string
	tools  Toolbox
}

// Attach appends the instructions in this order, separated by blank lines. A skill or a tool that is there twice is an error.
func Attach(system string, skills ...Skill) (*Agent, error) {
	parts, tools, seen := []string{system}, Toolbox{}, map[string]bool{}
	for _, skill := range skills {
		if seen[skill.Name()] {
			return nil, fmt.Errorf("the skill %s is attached twice", skill.Name())
		}
		seen[skill.Name()] = true
		parts = append(parts, skill.Instructions())
		for _, tool := range skill.Tools() {
			if _, twice := tools[tool.Name]; twice {
				return nil, fmt.Errorf("the tool %s of the skill %s is there twice", tool.Name, skill.Name())
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
