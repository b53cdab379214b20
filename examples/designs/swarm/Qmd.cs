// The second layer of RFC-009: qmd (https://github.com/tobi/qmd) searches documents, code and skills. It is optional.
using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Text;
using System.Text.RegularExpressions;
using System.Text.Json;

namespace SwarmAssistant
{
    /// <summary>A part of a file that qmd found.</summary>
    public sealed class Chunk
    {
        public string File, Snippet;
        public double Score;
    }

    public sealed class Qmd
    {
        public const string Skills = "skills", Project = "project", Codebase = "codebase";

        const int Words = 24, Hits = 20, TimeoutMilliseconds = 120000;
        readonly string program, repository, home;

        Qmd(string program, string repository, string home)
        {
            this.program = program;
            this.repository = repository;
            this.home = home;
        }

        /// <summary>
        /// Finds qmd in the directories of a PATH; null without it. Relative directories and those of the repository are not searched:
        /// a repository must not choose the program. <c>home</c> is a directory of your own for the index of this repository.
        /// </summary>
        public static Qmd Find(string path, string repository, string home)
        {
            var inside = Path.GetFullPath(repository) + Path.DirectorySeparatorChar;
            var program = path.Split(Path.PathSeparator)
                .Where(directory => Path.IsPathRooted(directory) && !(Path.GetFullPath(directory) + Path.DirectorySeparatorChar).StartsWith(inside))
                .Select(directory => Path.Combine(directory, "qmd")).FirstOrDefault(File.Exists);
            return program == null ? null : new Qmd(program, repository, home);
        }

        /// <summary>Creates the collections, or updates them.</summary>
        public void Index()
        {
            var known = Run("collection", "list");
            Add(known, Skills, ".agent/skills", "**/SKILL.md");
            Add(known, Project, ".", "{*.md,docs/**/*.md}");
            Add(known, Codebase, ".", "**/*.cs");
            Run("update");
        }

        void Add(string known, string name, string directory, string mask)
        {
            var place = Path.Combine(repository, directory);
            var listed = known.Contains("qmd://" + name + "/");
            if (!listed && Directory.Exists(place)) Run("collection", "add", place, "--name", name, "--mask", mask);
        }

        /// <summary>
        /// The best chunks of a collection, each file once. qmd joins words with `and`, so each word is a separate search. The ranks are added by reciprocal
        /// rank fusion (Cormack, Clarke and Büttcher 2009).
        /// </summary>
        public List<Chunk> Search(string text, string collection, int top)
        {
            var found = new Dictionary<string, Chunk>();
            var words = Regex.Matches(text.ToLowerInvariant(), @"[\p{L}\p{N}]{4,}").Cast<Match>().Select(match => match.Value);
            foreach (var word in words.Distinct().Take(Words))
            {
                var rank = 60;
                using (var hits = JsonDocument.Parse(Run("search", word, "-c", collection, "-n", Hits.ToString(), "--json")))
                    foreach (var hit in hits.RootElement.EnumerateArray())
                    {
                        var file = hit.GetProperty("file").GetString();
                        if (!found.ContainsKey(file)) found[file] = new Chunk { File = file, Snippet = hit.GetProperty("snippet").GetString() };
                        found[file].Score += 1.0 / ++rank;
                    }
            }
            return found.Values.OrderByDescending(chunk => chunk.Score).ThenBy(chunk => chunk.File, StringComparer.Ordinal).Take(top).ToList();
        }

        /// <summary>The directories of the skills that fit a task, best first.</summary>
        public List<string> RankSkills(string task)
        {
            return Search(task, Skills, Hits).Select(chunk => chunk.File.Split('/')).Where(parts => parts.Length > 1)
                .Select(parts => parts[parts.Length - 2]).Distinct().ToList();
        }

        /// <summary>
        /// A section of whole chunks, at most <c>limit</c> characters. Nobody checked their text, so each line is quoted: none can end the section.
        /// </summary>
        public static string Section(IEnumerable<Chunk> chunks, int limit)
        {
            const string head = "--- Project Context ---\n", tail = "--- End Project Context ---\n";
            var section = new StringBuilder(head);
            foreach (var chunk in chunks)
            {
                var lines = chunk.Snippet.Replace("\r\n", "\n").TrimEnd('\n').Split('\n').Select(line => line == "" ? ">\n" : "> " + Escaped(line) + "\n");
                var shown = Escaped(chunk.File) + " (score " + chunk.Score.ToString("0.000", CultureInfo.InvariantCulture) + ")\n" + string.Concat(lines);
                if (section.Length + shown.Length + tail.Length <= limit) section.Append(shown);
            }
            return section.Length == head.Length ? "" : section.Append(tail).ToString();
        }

        static string Escaped(string text)
        {
            return Regex.Replace(text, @"[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]", match => match.Value == "\t" ? "\t" : "\\u" + ((int)match.Value[0]).ToString("x4"));
        }

        /// <summary>Runs qmd in its own directory: it must not read a configuration of the repository.</summary>
        string Run(params string[] words)
        {
            var start = new ProcessStartInfo(program)
            { UseShellExecute = false, RedirectStandardOutput = true, RedirectStandardError = true, WorkingDirectory = home };
            foreach (var word in words) start.ArgumentList.Add(word);
            foreach (var name in new[] { "HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME" }) start.Environment[name] = home;
            using (var process = Process.Start(start))
            {
                var errors = process.StandardError.ReadToEndAsync();
                var output = process.StandardOutput.ReadToEndAsync();
                if (!process.WaitForExit(TimeoutMilliseconds))
                {
                    process.Kill();
                    throw new TimeoutException("qmd takes too long");
                }
                if (process.ExitCode != 0) throw new InvalidOperationException(errors.Result);
                return output.Result;
            }
        }
    }
}
