{
  description = "A linter for agent skills that reads the git index or tree";

  inputs.nixpkgs.url = "github:NixOS/nixpkgs/nixos-unstable";

  outputs =
    { self, nixpkgs }:
    let
      manifest = builtins.fromTOML (builtins.readFile ./Cargo.toml);
      systems = [
        "x86_64-linux"
        "aarch64-linux"
        "x86_64-darwin"
        "aarch64-darwin"
      ];
      each = nixpkgs.lib.genAttrs systems;
    in
    {
      packages = each (
        system:
        let
          pkgs = nixpkgs.legacyPackages.${system};
        in
        {
          default = pkgs.rustPlatform.buildRustPackage {
            pname = "skilltree";
            version = manifest.workspace.package.version;
            src = self;
            cargoLock.lockFile = ./Cargo.lock;
            # The tests need a repository around them.
            doCheck = false;
            nativeBuildInputs = [ pkgs.installShellFiles ];
            postInstall = ''
              $out/bin/skilltree man --out man
              installManPage man/*.1
              for shell in bash fish zsh; do
                $out/bin/skilltree completions $shell > skilltree.$shell
              done
              installShellCompletion skilltree.{bash,fish,zsh}
            '';
            meta = {
              description = manifest.package.description;
              homepage = manifest.workspace.package.repository;
              license = [
                pkgs.lib.licenses.mit
                pkgs.lib.licenses.asl20
              ];
              mainProgram = "skilltree";
            };
          };
        }
      );

      formatter = each (system: nixpkgs.legacyPackages.${system}.nixfmt);
    };
}
