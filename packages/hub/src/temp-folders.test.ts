import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import { makeTempFolder, removeTempFolder, sweepTempFolders } from './temp-folders.js'

test('the folders of processes that are gone are removed, and no others', async () => {
  const { pid: gonePid } = spawnSync(process.execPath, ['-e', ''])
  const mine = await makeTempFolder('git')
  const left = join(tmpdir(), basename(mine).replace(String(process.pid), String(gonePid)))
  mkdirSync(join(left, 'objects'), { recursive: true })
  const others = mkdtempSync(join(tmpdir(), 'quayside-other-'))

  await sweepTempFolders()

  expect([left, mine, others].map((folder) => existsSync(folder))).toEqual([false, true, true])
  await removeTempFolder(mine)
  rmSync(others, { recursive: true })
})
