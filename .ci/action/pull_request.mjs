// node pull_request.mjs STATE <SCRIPT: runs the script of an actions/github-script step against a pull request that STATE (JSON) describes.
//
// STATE has the comments, the review comments and the files of the pull request. It is written again with what the script did.
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const [file] = process.argv.slice(2);
const state = JSON.parse(readFileSync(file, 'utf8'));
const bot = { user: { type: 'Bot' } };
const listComments = () => state.comments;
const listReviewComments = () => state.reviewComments;
const listFiles = () => state.files;
const MOST_CHARACTERS = 65536;

const checked = (comment) => {
  if (comment.body.length > MOST_CHARACTERS) throw new Error('Body is too long');
  return comment;
};
const github = {
  paginate: async (list, options) => (options.repo === 'skills' ? list() : []),
  rest: {
    issues: {
      listComments,
      createComment: async ({ body }) => state.comments.push(checked({ id: state.comments.length + 1, body, ...bot })),
      updateComment: async ({ comment_id, body }) => Object.assign(state.comments.find(({ id }) => id === comment_id), checked({ body })),
    },
    pulls: {
      listFiles,
      listReviewComments,
      createReview: async ({ comments }) => state.reviewComments.push(...comments.map((comment) => ({ ...checked(comment), ...bot }))),
    },
  },
};
const context = { repo: { owner: 'team', repo: 'skills' }, payload: { pull_request: { number: 1, head: { sha: state.head } } } };
const core = { notice: (text) => console.log(`::notice::${text}`) };
const AsyncFunction = (async () => {}).constructor;
const script = new AsyncFunction('github', 'context', 'core', 'require', readFileSync(0, 'utf8'));
await script(github, context, core, createRequire(import.meta.url));
writeFileSync(file, JSON.stringify(state));
