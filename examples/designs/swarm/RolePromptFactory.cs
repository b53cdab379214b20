// SwarmAssistant's prompt (RFC-009) with skilltree's block as layer 5. Runs with mono: see RolePromptFactoryTest.cs.
using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.IO;
using System.Linq;
using System.Text;
using System.Web.Script.Serialization;

namespace SwarmAssistant
{
    /// <summary>How a program is started for a role.</summary>
    public sealed class CliMode
    {
        public string Tool, Mode, Model;

        /// <summary>The words of the command line; both hints are optional.</summary>
        public IEnumerable<string> Arguments(string model)
        {
            if (Mode != null) { yield return "--mode"; yield return Mode; }
            if (Model != null && model != null) { yield return Model; yield return model; }
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
            var index = (Dictionary<string, object>)new JavaScriptSerializer()
                .DeserializeObject(File.ReadAllText(Path.Combine(directory, "skills.json"), Encoding.UTF8));
            if ((string)index["schema"] != "skilltree/prompt-index/v1") throw new InvalidDataException("unknown schema");
            foreach (var skill in Objects(index, "skills")) layer.Names.Add((string)skill["name"]);
            var start = index.ContainsKey("learned") ? text.LastIndexOf(Heading, StringComparison.Ordinal) : text.Length;
            layer.Block = text.Substring(0, start);
            layer.Knowledge = text.Substring(start);
            foreach (var role in Objects((Dictionary<string, object>)index["modes"], "roles"))
                layer.Modes[(string)role["role"]] = Objects(role, "tools").Select(tool => new CliMode
                {
                    Tool = (string)tool["tool"], Mode = (string)tool["mode"], Model = (string)tool["model_option"],
                }).ToList();
            return layer;
        }

        /// <summary>The directories of the accepted skills that list a role.</summary>
        public static HashSet<string> Serving(string directory, string role)
        {
            var catalog = (Dictionary<string, object>)new JavaScriptSerializer { MaxJsonLength = int.MaxValue }
                .DeserializeObject(File.ReadAllText(Path.Combine(directory, "catalog.json"), Encoding.UTF8));
            var serving = Objects(catalog, "skills").Where(skill => ((object[])skill["roles"]).Contains(role));
            return new HashSet<string>(serving.Select(skill => (string)skill["directory"]));
        }

        static IEnumerable<Dictionary<string, object>> Objects(Dictionary<string, object> of, string key)
        {
            return ((object[])of[key]).Cast<Dictionary<string, object>>();
        }
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

    public sealed class Skilltree
    {
        /// <summary>The number of skills in a prompt (RFC-009: the best that fit).</summary>
        const int Top = 5;

        readonly string program, repository;

        public Skilltree(string program, string repository) { this.program = program; this.repository = repository; }

        /// <summary>The skills that fit a task by their tags.</summary>
        public SkillLayer Skills(string task, string role)
        {
            return Build(SkillLayer.Read, "--task", task, "--role", role);
        }

        /// <summary>The skills that fit a task: as qmd ranks them, or by their tags without qmd.</summary>
        public SkillLayer Skills(string task, string role, Qmd qmd)
        {
            var layer = Skills(task, role);
            if (qmd == null) return layer;
            var serving = Build(directory => SkillLayer.Serving(directory, role));
            var ranked = qmd.RankSkills(task).Where(serving.Contains).Take(Top).Select(name => "--skill=" + name).ToArray();
            var found = ranked.Length == 0 ? new SkillLayer() : Build(SkillLayer.Read, ranked);
            return new SkillLayer { Block = found.Block, Names = found.Names, Knowledge = layer.Knowledge, Modes = layer.Modes };
        }

        T Build<T>(Func<string, T> read, params string[] words)
        {
            var directory = Path.Combine(Path.GetTempPath(), Guid.NewGuid().ToString("N"));
            try
            {
                Run(new[] { "prompt", "--quiet", "--profile", "swarm", "--out", directory }.Concat(words).ToArray());
                return read(directory);
            }
            finally { if (Directory.Exists(directory)) Directory.Delete(directory, true); }
        }

        /// <summary>What a reviewer does after it rejected work. A known entry is dropped silently.</summary>
        public void Contribute(string agent, string content)
        {
            Run("agent", "knowledge", "add", "--quiet", "--category", "gotcha", "--scope", "global", "--contributor", agent, "--content", content);
        }

        void Run(params string[] words)
        {
            var start = new ProcessStartInfo(program, string.Join(" ", words.Select(Quoted)))
            { UseShellExecute = false, RedirectStandardError = true, WorkingDirectory = repository };
            using (var process = Process.Start(start))
            {
                var errors = process.StandardError.ReadToEnd();
                process.WaitForExit();
                if (process.ExitCode != 0) throw new InvalidOperationException(errors);
            }
        }

        internal static string Quoted(string word) { return "\"" + word.Replace("\\", "\\\\").Replace("\"", "\\\"") + "\""; }
    }
}
