// Runs the script of a step of actions/github-script, with the packages that it is made of, from NODE_MODULES.
import { createRequire } from 'node:module';

const require = createRequire(`${process.env.NODE_MODULES}/`);
const core = require('@actions/core');
const { context, getOctokit } = require('@actions/github');
const AsyncFunction = (async () => {}).constructor;
const script = new AsyncFunction('github', 'context', 'core', 'require', core.getInput('script'));
try {
  await script(getOctokit(core.getInput('github-token')), context, core, require);
} catch (error) {
  core.setFailed(error);
}
