// mcs -r:System.Web.Extensions -out:swarm.exe RolePromptFactory.cs RolePromptFactoryTest.cs && mono swarm.exe PROGRAM SKILLS
using System;
using System.Diagnostics;
using System.IO;
using System.Linq;
using SwarmAssistant;

static class RolePromptFactoryTest
{
    static void Equal(object expected, object actual)
    {
        if (!Equals(expected, actual)) throw new Exception("expected " + expected + "\nbut got " + actual);
    }

    static void Main(string[] arguments)
    {
        var top = Path.Combine(Path.GetTempPath(), Guid.NewGuid().ToString("N"));
        try
        {
            Directory.CreateDirectory(top);
            using (var git = Process.Start(new ProcessStartInfo("git", "init --quiet") { UseShellExecute = false, WorkingDirectory = top }))
                git.WaitForExit();
            foreach (var skill in Directory.GetDirectories(arguments[1]))
            {
                var place = Path.Combine(top, ".agent/skills", Path.GetFileName(skill));
                Directory.CreateDirectory(place);
                File.Copy(Path.Combine(skill, "SKILL.md"), Path.Combine(place, "SKILL.md"));
            }
            var skilltree = new Skilltree(arguments[0], top);
            SelectsByTagsAndRole(skilltree);
            PutsSkillsInLayerFive(skilltree);
            KeepsKnowledgeBesideTheInsights(skilltree);
            NamesModes(skilltree);
        }
        finally { Directory.Delete(top, true); }
        Console.WriteLine("4 passed, 0 failed");
    }

    static void SelectsByTagsAndRole(Skilltree skilltree)
    {
        const string task = "Validate the nullability of the OpenAPI schema";
        Equal("spec-consistency", string.Join(" ", skilltree.Skills(task, "reviewer").Names));
        Equal("", string.Join(" ", skilltree.Skills(task, "planner").Names));
    }

    static void PutsSkillsInLayerFive(Skilltree skilltree)
    {
        var skills = skilltree.Skills("Write a test first, then a commit", "builder");
        Equal("commit-conventions tdd-pattern", string.Join(" ", skills.Names.OrderBy(name => name, StringComparer.Ordinal)));
        var prompt = RolePromptFactory.BuildPrompt("builder", "Project.\n", "Insights.\n", "Code.\n", skills);
        Equal(true, prompt.StartsWith("You are the builder.\n\nProject.\n\nInsights.\n\nCode.\n\n--- Agent Skills ---\n### "));
        Equal(true, prompt.EndsWith("--- End Agent Skills ---\nApply these skills to your review/implementation.\n"));
        Equal(true, skills.Block.Length <= 4000);
        var none = RolePromptFactory.BuildPrompt("builder", "Project.\n", "", "", skilltree.Skills("Nothing", "builder"));
        Equal("You are the builder.\n\nProject.\n", none);
    }

    static void KeepsKnowledgeBesideTheInsights(Skilltree skilltree)
    {
        const string lesson = "When adding OpenAPI endpoints, verify nullable fields against the DTO";
        skilltree.Contribute("reviewer-01", lesson);
        skilltree.Contribute("reviewer-01", lesson);
        var skills = skilltree.Skills("Add OpenAPI endpoints", "builder");
        Equal("--- Shared Knowledge ---\n- gotcha: " + lesson + " (reviewer-01)\n--- End Shared Knowledge ---\n", skills.Knowledge);
        Equal(false, skills.Block.Contains(lesson));
        var prompt = RolePromptFactory.BuildPrompt("builder", "", "Insights.\n", "Code.\n", skills);
        Equal(true, prompt.IndexOf(lesson) < prompt.IndexOf("Code."));
    }

    static void NamesModes(Skilltree skilltree)
    {
        var modes = skilltree.Skills("Nothing", "planner").Modes;
        var planner = modes["planner"].ToDictionary(mode => mode.Tool);
        Equal("copilot cline aider claude-code", string.Join(" ", modes["planner"].Select(mode => mode.Tool)));
        Equal("--mode plan --model gpt-4o", string.Join(" ", planner["cline"].Arguments("gpt-4o")));
        Equal("--mode architect", string.Join(" ", planner["aider"].Arguments("gpt-4o")));
        Equal("", string.Join(" ", planner["claude-code"].Arguments(null)));
        Equal("code", modes["builder"].Single(mode => mode.Tool == "aider").Mode);
    }
}
