// Writes packages/hub/src/store/generated from packages/hub/prisma/schema.prisma. Run it after a change of the schema.
// The Prisma command line lives in tools/prisma, because the product does not need it.

import { spawnSync } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const tools = join(root, 'tools/prisma')
const generated = join(root, 'packages/hub/src/store/generated')

if (!isPrismaInstalled()) run('npm', ['ci', '--ignore-scripts'], tools)

rmSync(generated, { recursive: true, force: true })
const schema = join(root, 'packages/hub/prisma/schema.prisma')
run(process.execPath, [prismaFile(), 'generate', '--schema', schema], tools)

function isPrismaInstalled() {
  const { devDependencies } = readJson(join(tools, 'package.json'))
  try {
    return (
      readJson(join(tools, 'node_modules/prisma/package.json')).version === devDependencies.prisma
    )
  } catch {
    return false
  }
}

function prismaFile() {
  return createRequire(join(tools, 'package.json')).resolve('prisma/build/index.js')
}

function readJson(file) {
  return JSON.parse(readFileSync(file, 'utf8'))
}

function run(command, args, cwd) {
  const env = {
    ...process.env,
    // Generating needs no engine, but Prisma downloads one unless this names a file that exists.
    PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
    PRISMA_HIDE_UPDATE_MESSAGE: '1',
    CHECKPOINT_DISABLE: '1',
  }
  const { status, error } = spawnSync(command, args, { cwd, env, stdio: 'inherit' })
  if (error !== undefined) throw error
  if (status !== 0) process.exit(status ?? 1)
}
