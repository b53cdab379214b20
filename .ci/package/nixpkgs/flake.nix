# What the project's flake.nix uses of nixpkgs, made of the tools of this machine. Nix itself is the real one. It needs `--impure` and no
# sandbox. A test that builds with it compares no seconds: nothing is optimized.
{
  outputs =
    { self }:
    let
      systems = [
        "x86_64-linux"
        "aarch64-linux"
        "x86_64-darwin"
        "aarch64-darwin"
      ];
      each = names: make: builtins.listToAttrs (map (name: { inherit name; value = make name; }) names);
      lib = {
        genAttrs = each;
        licenses = { mit = "MIT"; asl20 = "Apache-2.0"; };
      };
      # nixpkgs downloads each crate by the checksum in the lock file. For a crate from Git, it needs one in flake.nix.
      hasChecksums = lock: builtins.all (crate: crate ? checksum || !(crate ? source)) (builtins.fromTOML (builtins.readFile lock)).package;
      buildRustPackage =
        system:
        { pname, version, src, cargoLock, doCheck, nativeBuildInputs, postInstall, meta }:
        assert hasChecksums cargoLock.lockFile;
        assert nativeBuildInputs == [ "installShellFiles" ];
        assert meta.mainProgram == pname;
        derivation {
          inherit system src postInstall;
          name = "${pname}-${version}";
          builder = "/bin/bash";
          args = [ ./build ];
          PATH = builtins.getEnv "PATH";
          RUSTUP_HOME = builtins.getEnv "RUSTUP_HOME";
          SSL_CERT_FILE = builtins.getEnv "SSL_CERT_FILE";
        }
        // { inherit pname version meta; };
    in
    {
      inherit lib;
      legacyPackages = each systems (system: {
        inherit lib;
        rustPlatform.buildRustPackage = buildRustPackage system;
        installShellFiles = "installShellFiles";
        nixfmt = "nixfmt";
      });
    };
}
