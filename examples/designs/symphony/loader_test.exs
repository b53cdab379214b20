# Runs with Debian's Elixir: `SKILLTREE=target/debug/skilltree elixir -r examples/designs/symphony/loader.ex \
#   examples/designs/symphony/loader_test.exs`
ExUnit.start()

# Symphony has jason. Debian has only jiffy, which reads the same maps.
unless Code.ensure_loaded?(Jason) do
  defmodule Jason do
    def decode!(text), do: :jiffy.decode(text, [:return_maps, :use_nil])
  end
end

defmodule LoaderTest do
  use ExUnit.Case, async: true
  alias SymphonyElixir.AgentRunner
  alias SymphonyElixir.Skills.{Loader, Skill, ValidationError}

  setup do
    top = Path.join(System.tmp_dir!(), "symphony-#{System.unique_integer([:positive])}-#{System.pid()}")
    File.mkdir_p!(top)
    on_exit(fn -> File.rm_rf!(top) end)
    {_, 0} = System.cmd("git", ["init", "--quiet", top])
    %{top: top, out: Path.join(top, "out")}
  end

  test "an empty directory has no skills and changes nothing", %{top: top, out: out} do
    dispatch(top, out)
    assert Loader.load(out) == {:ok, []}
    assert AgentRunner.system_prompt("You fix issues.", out) == "You fix issues."
  end

  test "well-formed skills are loaded", %{top: top, out: out} do
    Enum.each(["add-migration", "fix-flake", "wire-field"], &skill(top, &1))
    dispatch(top, out)
    assert {:ok, [%Skill{name: "add-migration"} = first, _, _]} = Loader.load(out)
    assert first.description == "Does add-migration. Use when asked."
    assert first.when_to_use == "The issue mentions add-migration."
    assert first.body_path == ".symphony/skills/add-migration/SKILL.md"
    assert File.exists?(Path.join(top, first.body_path))
  end

  test "the block is at the end of the system prompt", %{top: top, out: out} do
    skill(top, "fix-flake")
    dispatch(top, out)
    block = File.read!(Path.join(out, "available-skills.md"))
    assert AgentRunner.system_prompt("You fix issues.", out) == "You fix issues.\n\n" <> block
    assert block =~ ~r/\A## Available skills\n/
    assert block =~ "\n- fix-flake — The issue mentions fix-flake.\n"
  end

  test "every kind of error is reported, and none blocks the dispatch", %{top: top, out: out} do
    Enum.each(["good", "twin"], &skill(top, &1))
    write(top, ".symphony/skills/bare/SKILL.md", "# No front matter\n")
    write(top, ".symphony/skills/other/SKILL.md", text("twin"))
    write(top, ".symphony/skills/broken/SKILL.md", "---\nname: broken\ndescription: [open\n---\nDo it.\n")
    dispatch(top, out)
    assert {:error, errors} = Loader.load(out)
    rules = for error <- errors, do: {error.path, error.rule}
    assert {".symphony/skills/bare/SKILL.md", "missing-front-matter"} in rules
    assert {".symphony/skills/broken/SKILL.md", "invalid-yaml"} in rules
    assert Enum.any?(rules, &match?({_, "duplicate-name"}, &1))
    assert Enum.all?(errors, &(&1.message != nil and &1.message != ""))
    prompt = AgentRunner.system_prompt("You fix issues.", out)
    assert prompt =~ "\n- good — " and prompt =~ "\n- twin — "
    refute prompt =~ "broken"
  end

  test "missing front matter is an error, and the rest appears", %{top: top, out: out} do
    skill(top, "good")
    write(top, ".symphony/skills/bare/SKILL.md", "# No front matter\n")
    dispatch(top, out)
    assert {:error, [%ValidationError{path: ".symphony/skills/bare/SKILL.md"} | _] = errors} = Loader.load(out)
    assert Enum.any?(errors, &(&1.rule == "missing-front-matter"))
    assert AgentRunner.system_prompt("", out) =~ "- good — "
  end

  test "a duplicate name is an error", %{top: top, out: out} do
    skill(top, "good")
    write(top, ".symphony/skills/other/SKILL.md", text("good"))
    dispatch(top, out)
    assert {:error, errors} = Loader.load(out)
    assert Enum.any?(errors, &(&1.rule == "duplicate-name"))
  end

  test "a cap of two drops the third skill and logs it", %{top: top, out: out} do
    Enum.each(["a", "b", "c"], &skill(top, &1))
    write(top, "WORKFLOW.md", "---\nagent:\n  skills:\n    max_skills_in_prompt: 2\n---\nWork.\n")
    log = dispatch(top, out)
    assert {:ok, [%Skill{name: "a"}, %Skill{name: "b"}]} = Loader.load(out)
    assert log =~ "dropped c"
    assert [%Skill{name: "c"}] = out |> Loader.catalog() |> Loader.dropped()
  end

  test "the comment is posted once, updated, and deleted", %{top: top, out: out} do
    {:ok, comments} = Agent.start_link(fn -> %{} end)
    tracker = tracker(comments)
    skill(top, "good")
    write(top, ".symphony/skills/bare/SKILL.md", "# No front matter\n")
    dispatch(top, out)
    AgentRunner.report(tracker, out)
    AgentRunner.report(tracker, out)
    assert [{1, text}] = tracker.list.()
    assert text =~ "`.symphony/skills/bare/SKILL.md`"
    write(top, ".symphony/skills/nameless/SKILL.md", "---\ndescription: Has no name.\n---\nBody.\n")
    dispatch(top, out)
    AgentRunner.report(tracker, out)
    assert [{1, text}] = tracker.list.()
    assert text =~ "`.symphony/skills/nameless/SKILL.md`"
    Enum.each(["bare", "nameless"], &File.rm_rf!(Path.join(top, ".symphony/skills/#{&1}")))
    dispatch(top, out)
    AgentRunner.report(tracker, out)
    assert tracker.list.() == []
  end

  defp tracker(comments) do
    %{
      list: fn -> Agent.get(comments, &Map.to_list/1) end,
      post: fn text -> Agent.update(comments, &Map.put(&1, map_size(&1) + 1, text)) end,
      update: fn id, text -> Agent.update(comments, &Map.put(&1, id, text)) end,
      delete: fn id -> Agent.update(comments, &Map.delete(&1, id)) end
    }
  end

  defp dispatch(top, out) do
    words = ["prompt", "--profile", "symphony", "--out", out]
    {log, 0} = System.cmd(System.fetch_env!("SKILLTREE"), words, cd: top, stderr_to_stdout: true)
    log
  end

  defp skill(top, name), do: write(top, ".symphony/skills/#{name}/SKILL.md", text(name))

  defp text(name) do
    "---\nname: #{name}\ndescription: Does #{name}. Use when asked.\nwhen_to_use: The issue mentions #{name}.\n---\nDo it.\n"
  end

  defp write(top, path, text) do
    path = Path.join(top, path)
    File.mkdir_p!(Path.dirname(path))
    File.write!(path, text)
  end
end
