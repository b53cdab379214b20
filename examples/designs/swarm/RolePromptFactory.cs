// SwarmAssistant's prompt (RFC-009) with skilltree's block as layer 5, for .NET Core 3.1 or newer. See RolePromptFactoryTest.cs.
using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.IO;
using System.Linq;
using System.Text;
using System.Text.Json;

namespace SwarmAssistant
{
    /// <summary>How a program is started for a role.</summary>
    public sealed class CliMode
    {
        public string Tool, Mode, ModeOption, ModelOption;

        /// <summary>The words of the command line. Both hints are optional, and each program has its own options.</summary>
        public IEnumerable<string> Arguments(string model)
        {
            if (Mode != null && ModeOption != null) { yield return ModeOption; yield return Mode; }
            if (model != null && ModelOption != null) { yield return ModelOption; yield return model; }
        }
    }

    /// <summary>The skills of a task and a role, as `prompt --profile swarm` selects them.</summary>
    public sealed class SkillLayer
    {
        public string Block = "", Knowledge = "";
        public List<string> Names = new List<string>();
        public Dictionary<string, List<CliMode>> Modes = new Dictionary<string, List<CliMode>>();

        const string Heading = "--- Shared Knowledge ---\n";

        public static SkillLayer Read(string directory)
        {
            var layer = new SkillLayer();
            var text = File.ReadAllText(Path.Combine(directory, "available-skills.md"), Encoding.UTF8);
            using (var document = JsonDocument.Parse(File.ReadAllBytes(Path.Combine(directory, "skills.json"))))
            {
                var index = document.RootElement;
                if (Text(index, "schema") != "skilltree/prompt-index/v1") throw new InvalidDataException("unknown schema");
                foreach (var skill in index.GetProperty("skills").EnumerateArray()) layer.Names.Add(Text(skill, "name"));
                JsonElement learned;
                var start = index.TryGetProperty("learned", out learned) ? text.LastIndexOf(Heading, StringComparison.Ordinal) : text.Length;
                layer.Block = text.Substring(0, start);
                layer.Knowledge = text.Substring(start);
                foreach (var role in index.GetProperty("modes").GetProperty("roles").EnumerateArray())
                    layer.Modes[Text(role, "role")] = role.GetProperty("tools").EnumerateArray().Select(tool => new CliMode
                    {
                        Tool = Text(tool, "tool"), Mode = Text(tool, "mode"),
                        ModeOption = Text(tool, "mode_option"), ModelOption = Text(tool, "model_option"),
                    }).ToList();
                return layer;
            }
        }

        /// <summary>The directories of the accepted skills that list a role.</summary>
        public static HashSet<string> Serving(string directory, string role)
        {
            using (var document = JsonDocument.Parse(File.ReadAllBytes(Path.Combine(directory, "catalog.json"))))
            {
                var serving = document.RootElement.GetProperty("skills").EnumerateArray()
                    .Where(skill => skill.GetProperty("roles").EnumerateArray().Any(one => one.GetString() == role));
                return new HashSet<string>(serving.Select(skill => Text(skill, "directory")));
            }
        }

        /// <summary>A text; null if the member is null.</summary>
        static string Text(JsonElement of, string key) { return of.GetProperty(key).GetString(); }
    }

    public static class RolePromptFactory
    {
        /// <summary>
        /// Builds the five layers: knowledge is next to the insights, what qmd found is next to the code, and skills come last. Empty layers
        /// are left out.
        /// </summary>
        public static string BuildPrompt(string role, string project, string insights, string code, SkillLayer skills, string found = "")
        {
            var layers = new[] { "You are the " + role + ".\n", project, insights + skills.Knowledge, code + found, skills.Block };
            return string.Join("\n", layers.Where(layer => layer.Length > 0));
        }
    }

    /// <summary>What became of a contribution.</summary>
    public enum Contribution
    {
        /// <summary>It is in the shared knowledge, now or before.</summary>
        Kept,
        /// <summary>The contributor added another entry less than 30 seconds ago: contribute it again later.</summary>
        TooSoon,
    }

    public sealed class Skilltree
    {
        /// <summary>The number of skills in a prompt (RFC-009: the best that fit).</summary>
        const int Top = 5;

        readonly string program, repository;

        public Skilltree(string program, string repository) { this.program = program; this.repository = repository; }

        /// <summary>The skills that fit a task by their tags.</summary>
        public SkillLayer Skills(string task, string role)
        {
            return Build(SkillLayer.Read, task, "--task=-", "--role=" + role);
        }

        /// <summary>The skills that fit a task: as qmd ranks them, or by their tags without qmd.</summary>
        public SkillLayer Skills(string task, string role, Qmd qmd)
        {
            var layer = Skills(task, role);
            if (qmd == null) return layer;
            var serving = Build(directory => SkillLayer.Serving(directory, role), "");
            var ranked = qmd.RankSkills(task).Where(serving.Contains).Take(Top).Select(name => "--skill=" + name).ToArray();
            var found = ranked.Length == 0 ? new SkillLayer() : Build(SkillLayer.Read, "", ranked);
            return new SkillLayer { Block = found.Block, Names = found.Names, Knowledge = layer.Knowledge, Modes = layer.Modes };
        }

        /// <summary>Builds an artifact and reads it. <c>text</c> is on standard input: there it has any length and any first character.</summary>
        T Build<T>(Func<string, T> read, string text, params string[] words)
        {
            var directory = Path.Combine(Path.GetTempPath(), Guid.NewGuid().ToString("N"));
            try
            {
                var status = Run(text, new[] { "prompt", "--quiet", "--profile=swarm", "--out=" + directory }.Concat(words), out var errors);
                if (status != 0) throw new InvalidOperationException(errors);
                return read(directory);
            }
            finally { if (Directory.Exists(directory)) Directory.Delete(directory, true); }
        }

        /// <summary>What a reviewer does after it rejected work. A known entry is dropped silently.</summary>
        public Contribution Contribute(string agent, string content)
        {
            var words = new[] { "agent", "knowledge", "add", "--category=gotcha", "--scope=global", "--contributor=" + agent, "--content=-" };
            switch (Run(content, words, out var errors))
            {
                case 0: return Contribution.Kept;
                case 1: return Contribution.TooSoon;
                default: throw new InvalidOperationException(errors);
            }
        }

        /// <summary>Runs the program with a text on standard input, and returns its exit status.</summary>
        int Run(string text, IEnumerable<string> words, out string errors)
        {
            var start = new ProcessStartInfo(program)
            {
                UseShellExecute = false, RedirectStandardInput = true, RedirectStandardOutput = true, RedirectStandardError = true,
                WorkingDirectory = repository,
            };
            foreach (var word in words) start.ArgumentList.Add(word);
            using (var process = Process.Start(start))
            {
                var told = process.StandardError.ReadToEndAsync();
                var output = process.StandardOutput.ReadToEndAsync();
                var bytes = Encoding.UTF8.GetBytes(text);
                try
                {
                    process.StandardInput.BaseStream.Write(bytes, 0, bytes.Length);
                    process.StandardInput.Close();
                }
                catch (IOException) { /* A program that does not read its input closes the pipe. */ }
                process.WaitForExit();
                output.Wait();
                errors = told.Result;
                return process.ExitCode;
            }
        }
    }
}
