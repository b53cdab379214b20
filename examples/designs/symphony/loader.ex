# Symphony's loader (issue 87) over the catalog of `skilltree prompt --profile symphony --out DIR`.
# The files and their contract are Symphony's; checking, selecting and rendering are skilltree's. Needs jason, as Symphony does.
defmodule SymphonyElixir.Skills.Skill do
  defstruct [:name, :description, :when_to_use, :body_path]
end

defmodule SymphonyElixir.Skills.ValidationError do
  defstruct [:path, :rule, :message]
end

defmodule SymphonyElixir.Skills.Loader do
  alias SymphonyElixir.Skills.{Skill, ValidationError}

  @schema "skilltree/catalog/v1"

  @doc "Returns the skills, or the errors of the skills that are left out."
  def load(directory) do
    catalog = catalog(directory)

    case errors(catalog) do
      [] -> {:ok, skills(catalog)}
      errors -> {:error, errors}
    end
  end

  @doc "Returns the skills that are in the block, whatever is wrong with others."
  def skills(catalog), do: catalog |> split() |> elem(0)

  @doc "Returns the skills that exceed `max_skills_in_prompt`."
  def dropped(catalog), do: catalog |> split() |> elem(1)

  defp split(%{"skills" => accepted, "recipe" => %{"limits" => %{"skills" => most}}}) do
    skills =
      for skill <- accepted do
        %Skill{
          name: skill["name"],
          description: skill["description"],
          when_to_use: skill["when_to_use"],
          body_path: skill["body_path"]
        }
      end

    Enum.split(skills, most || length(skills))
  end

  def catalog(directory) do
    text = File.read!(Path.join(directory, "catalog.json"))
    %{"schema" => @schema} = Jason.decode!(text)
  end

  defp errors(catalog) do
    skipped =
      for %{"body_path" => path, "problems" => problems} <- catalog["skipped"],
          problem <- problems do
        %ValidationError{path: path, rule: problem["rule"], message: problem["message"]}
      end

    others =
      for %{"source" => source, "message" => message} <- catalog["errors"] do
        %ValidationError{path: source, rule: nil, message: message}
      end

    skipped ++ others
  end
end

defmodule SymphonyElixir.AgentRunner do
  @moduledoc "What a dispatch does with the artifact: it injects the block and keeps one comment on the issue."

  @marker "<!-- skilltree: skipped skills -->"

  @doc "Appends the block to the system prompt. Without skills, the prompt is as before."
  def system_prompt(envelope, directory) do
    case File.read!(Path.join(directory, "available-skills.md")) do
      "" -> envelope
      block -> envelope <> "\n\n" <> block
    end
  end

  @doc """
  Posts the comment about skipped skills, updates the one of an earlier run, or deletes it. `tracker` has the functions
  `list`, `post`, `update` and `delete` of an issue.
  """
  def report(tracker, directory) do
    earlier = Enum.find(tracker.list.(), fn {_, text} -> String.starts_with?(text, @marker) end)

    case {File.read(Path.join(directory, "comment.md")), earlier} do
      {{:ok, text}, nil} -> tracker.post.(text)
      {{:ok, text}, {_, text}} -> :ok
      {{:ok, text}, {id, _}} -> tracker.update.(id, text)
      {{:error, :enoent}, nil} -> :ok
      {{:error, :enoent}, {id, _}} -> tracker.delete.(id)
    end
  end
end
