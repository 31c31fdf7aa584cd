// The table's part for what sessions are made of: repositories, folders and agents.
import { authenticateSchema, browseQuerySchema } from './input-schemas.js'
import {
  authenticationSchema,
  extensionListSchema,
  repoListSchema,
  repoSchema,
} from './output-schemas.js'
import {
  browseSchema,
  repoDiffQuerySchema,
  repoTrustSchema,
  repoDiffSchema,
  repoFilesQuerySchema,
  repoFilesSchema,
  repoStatusSchema,
} from './repo-schemas.js'
import { answer, json, type Route } from './route.js'
import { wireFrameListSchema, wireFrameSchema, wireQuerySchema } from './transcript-schemas.js'

const repo = { id: 'Id of the repository.' }
const extension = { id: 'Id of the extension, such as `demo`.' }
const look = ['repo_not_found', 'path_outside_root'] as const
const start = ['agent_not_installed', 'agent_failed', 'agent_timeout'] as const

export const repoRoutes: readonly Route[] = [
  {
    method: 'get',
    path: '/api/repos',
    operationId: 'listRepos',
    tag: 'Repositories',
    summary: 'The repositories that were found',
    answers: answer(200, 'Sorted by path.', repoListSchema),
    errors: [],
  },
  {
    method: 'post',
    path: '/api/repos/scan',
    operationId: 'scanRepos',
    tag: 'Repositories',
    summary: 'Look again for repositories',
    answers: answer(200, 'What there is now.', repoListSchema),
    errors: [],
  },
  {
    method: 'get',
    path: '/api/repos/{id}',
    operationId: 'getRepo',
    tag: 'Repositories',
    summary: 'One repository',
    params: repo,
    answers: answer(200, 'The repository with its branch.', repoSchema),
    errors: ['repo_not_found'],
  },
  {
    method: 'get',
    path: '/api/repos/{id}/files',
    operationId: 'findRepoFiles',
    tag: 'Repositories',
    summary: 'Find files by a few letters',
    description: 'What git tracks or would track. For mentions in prompts.',
    params: repo,
    query: repoFilesQuerySchema,
    queryNotes: { q: 'Letters of the path, in order; empty for any files.' },
    answers: answer(200, 'Paths.', repoFilesSchema),
    errors: look,
  },
  {
    method: 'get',
    path: '/api/repos/{id}/status',
    operationId: 'getRepoStatus',
    tag: 'Repositories',
    summary: 'Where the repository stands',
    description: 'Its branch and the files that differ. Nothing is asked over the network.',
    params: repo,
    answers: answer(200, 'Branch and files.', repoStatusSchema),
    errors: look,
  },
  {
    method: 'post',
    path: '/api/repos/{id}/trust',
    operationId: 'trustRepo',
    tag: 'Repositories',
    summary: 'Trust a repository with the agent configuration it has now',
    description:
      'Needed once for each repository when `QUAYSIDE_TRUST` is `ask`, and again when that configuration changes.',
    params: repo,
    answers: answer(200, 'The files that were trusted.', repoTrustSchema),
    errors: ['repo_not_found', 'path_outside_root'],
  },
  {
    method: 'get',
    path: '/api/repos/{id}/diff',
    operationId: 'getRepoDiff',
    tag: 'Repositories',
    summary: 'Everything since the last commit',
    description: 'Staged or not, with the untracked files that are not ignored.',
    params: repo,
    query: repoDiffQuerySchema,
    queryNotes: { path: 'Only this file or folder, relative to the repository.' },
    answers: answer(200, 'Files and their patches.', repoDiffSchema),
    errors: look,
  },
  {
    method: 'get',
    path: '/api/browse',
    operationId: 'browse',
    tag: 'Repositories',
    summary: 'Folders under the workspace roots',
    description: 'Names only, nothing outside of the roots.',
    query: browseQuerySchema,
    queryNotes: { path: 'The folder to look into; without it the roots.' },
    answers: answer(200, 'Folders.', browseSchema),
    errors: ['path_outside_root', 'git_failed'],
  },
  {
    method: 'get',
    path: '/api/extensions',
    operationId: 'listExtensions',
    tag: 'Agents',
    summary: 'The kinds of agents',
    answers: answer(200, 'Extensions.', extensionListSchema),
    errors: [],
  },
  {
    method: 'get',
    path: '/api/extensions/debug/raw',
    operationId: 'listWireFrames',
    tag: 'Agents',
    summary: 'The newest lines of all agents’ wires',
    description:
      'As they were sent, oldest first, without secrets. As a download with `format=jsonl` or `Accept: application/x-ndjson`.',
    query: wireQuerySchema,
    answers: {
      200: {
        description: 'Frames.',
        content: { ...json(wireFrameListSchema), 'application/x-ndjson': wireFrameSchema },
      },
    },
    errors: [],
  },
  {
    method: 'post',
    path: '/api/extensions/{id}/authenticate',
    operationId: 'authenticateExtension',
    tag: 'Agents',
    summary: 'Sign an agent in',
    description:
      'By one of the methods that the error `agent_auth_required` lists. The agent keeps its credentials itself.',
    params: extension,
    body: json(authenticateSchema),
    answers: answer(200, 'New sessions of this agent find the credentials.', authenticationSchema),
    errors: ['extension_not_found', 'option_not_found', 'agent_auth_required', ...start],
  },
  {
    method: 'post',
    path: '/api/extensions/{id}/logout',
    operationId: 'logoutExtension',
    tag: 'Agents',
    summary: 'Sign an agent out',
    params: extension,
    answers: answer(200, 'The agent has forgotten its credentials.', authenticationSchema),
    errors: ['extension_not_found', 'option_not_found', ...start],
  },
]
