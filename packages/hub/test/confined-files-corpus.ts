// A repository with a canary outside, and a thousand paths that lead out of it or to no regular file, made of real files.
import { spawnSync } from 'node:child_process'
import { linkSync, mkdirSync, mkdtempSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'

export const CANARY = 'CANARY 6f1d'

export type Hostile = {
  readonly path: string
  /**
   * `ours`: leads only into the test's folder, so even a mutant may write it. `anything`: a mutant might hang on it.
   * `system`: could harm the machine if the code under test were broken, so it is only read.
   */
  readonly leadsTo: 'ours' | 'anything' | 'system'
}

/** `folder` contains `ws`, the repository; everything around it must stay untouched. */
export class HostileTree implements AsyncDisposable {
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), 'quayside-hostile-')))
  readonly root = join(this.folder, 'ws')
  readonly outside = join(this.folder, 'outside')
  readonly #socket = createServer()

  static async make(): Promise<HostileTree> {
    const tree = new HostileTree()
    const { folder, root, outside } = tree
    for (const made of ['ws/dir/sub', 'ws/links', 'outside/dir', 'ws-evil'])
      mkdirSync(join(folder, made), { recursive: true })
    for (const name of ['outside/canary', 'outside/dir/canary', 'outside/linked', 'ws-evil/canary'])
      writeFileSync(join(folder, name), CANARY)
    for (const name of ['ws/file', 'ws/dir/file']) writeFileSync(join(folder, name), 'inside')
    linkSync(join(outside, 'linked'), join(root, 'hard'))
    linkSync(join(outside, 'linked'), join(root, 'dir/sub/hard'))
    spawnSync('mkfifo', [join(root, 'fifo'), join(root, 'dir/fifo')])
    symlinkSync('../dir', join(root, 'links/in'))
    symlinkSync('..', join(root, 'links/up'))
    symlinkSync(outside, join(folder, 'alias'))
    await new Promise<void>((listening) => tree.#socket.listen(join(root, 'socket'), listening))
    return tree
  }

  /** Creates the links that its paths need, so it is called once. */
  hostilePaths(): Hostile[] {
    const ours = [...this.#traversals(), ...this.#links()]
    const anything = [...this.#linksToNothing(), ...this.#oddities(), ...this.#routesTo(CREATABLE)]
    return [
      ...ours.map((path) => ({ path, leadsTo: 'ours' as const })),
      ...anything.map((path) => ({ path, leadsTo: 'anything' as const })),
      ...this.#routesTo(SYSTEM).map((path) => ({ path, leadsTo: 'system' as const })),
    ]
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await new Promise((closed) => this.#socket.close(closed))
    await rm(this.folder, { recursive: true, force: true })
  }

  /** The files outside that a path could lead to, relative to the folder: three exist, two could be created. */
  get #targets(): string[] {
    return words('outside/canary outside/dir/canary ws-evil/canary outside/created outside/new/new')
  }

  #traversals(): string[] {
    const { folder, root, outside } = this
    const starts = [
      ['', ...words('/dir /dir/sub /dir/. //dir /./dir /dir//sub /dir/sub/. /dir/sub/../sub')],
      words('/links /links/in /links/in/sub /links/in/sub/. /links/up /links/up/dir'),
      words('/links/up/links/in /dir/../dir'),
    ].flat()
    const near = this.#targets.flatMap((target) =>
      starts.flatMap((start) => {
        const depth = relative(folder, realpathSync(root + start)).split('/').length
        const ups = words('/.. /../. /./.. //.. /..// /.././ /.//..')
        return ups.map((up) => `${root}${start}${up.repeat(depth)}/${target}`)
      }),
    )
    const far = this.#targets.flatMap((target) => [
      `${root}${'/..'.repeat(30)}${folder}/${target}`,
      `${root}/dir${'/../.'.repeat(200)}${folder}/${target}`,
      `${root}/missing/../../${target}`,
      `${root}/file/../../${target}`,
      `${root}/fifo/../../${target}`,
      `${outside}/../${target}`,
      `/proc/self/root${folder}/${target}`,
      `/proc/thread-self/root${folder}/${target}`,
      `/proc/${process.pid}/root${folder}/${target}`,
      `/dev/..${folder}/${target}`,
      `/${folder}/${target}`,
      `${folder}/${target}`,
    ])
    return [...near, ...far, `${root}/../ws/file`, `${root}/dir/../../ws/dir/file`]
  }

  #links(): string[] {
    const { folder, root, outside } = this
    const routes: [target: string, rest: string][] = this.#targets.flatMap((target) => [
      [`${folder}/${target}`, ''],
      [`../../${target}`, ''],
      [`/proc/self/root${folder}/${target}`, ''],
      [`../dir/../../${target}`, ''],
      [`${root}/../${target}`, ''],
      [folder, `/${target}`],
      ['../..', `/${target}`],
      ['/', `${folder}/${target}`],
      [root, `/../${target}`],
    ])
    for (const rest of words('/canary /dir/canary /created'))
      for (const target of [outside, `${outside}/`, '../../alias', join(folder, 'alias')])
        routes.push([target, rest])
    routes.push([`${root}-evil`, '/canary'], ['../../ws-evil', '/canary'])
    return routes.flatMap(([target, rest], at) => {
      this.#link(`l${at}`, target)
      this.#link(`chain${at}`, `l${at}`)
      this.#link(`long-chain${at}`, `${root}/links/chain${at}`)
      const names = [`links/l${at}`, `dir/../links/./chain${at}`, `links/long-chain${at}`]
      return names.map((name) => `${root}/${name}${rest}`)
    })
  }

  #linksToNothing(): string[] {
    const links = {
      self: 'self',
      ping: 'pong',
      pong: 'ping',
      grows: 'grows/x',
      missing: 'no-such-file',
      'missing-folder': 'no/such/file',
      'missing-outside': join(this.outside, 'no-such-file'),
      'missing-up': '../../outside/no-such-file',
      c60: '../file',
    }
    for (const [name, target] of Object.entries(links)) this.#link(name, target)
    for (let at = 0; at < 60; at++) this.#link(`c${at}`, `c${at + 1}`)
    const names = words(
      'self self/x ping grows missing missing/x missing-folder c0 missing-outside',
    )
    return [...names, 'missing-up', 'missing-up/x'].map((name) => `${this.root}/links/${name}`)
  }

  /** Special files, and strings that are not paths. */
  #oddities(): string[] {
    const { root, folder, outside } = this
    const afterRoot = [
      ['', ...words('/ /. /.. /dir /dir/ /dir/sub/. /dir/sub/.. /file/ /file/. /file/x')],
      words('/new/ /new/. /new/.. /new/../file /fifo /fifo/ /fifo/x /dir/fifo /socket /socket/x'),
      words('/links/in /links/in/ /links/in/fifo /links/up /links/up/socket'),
      [`/${'x'.repeat(256)}`, `/${'漢'.repeat(86)}`, `/new/${'x'.repeat(256)}/y`],
      ['/x'.repeat(2100), `${'/dir/..'.repeat(500)}/../outside/canary`],
      [`${'/dir/sub/../..'.repeat(280)}/dir`],
      ['\0', '/file\0', '/\0/file', '/dir/\0/../../outside/canary', '\0-evil/canary', '/fi\0le'],
      ['-evil/canary', '-evil/created', '-evil/../outside/canary'],
      ['.', '. /x', 'x', ' /canary', '\u200b/x'],
    ].flat()
    const relativePaths = words('. .. file ws/file ./file ../outside/canary ~ ~/x $HOME/x C:\\x -')
    const notPaths = ['', ' ', `file://${root}/file`, `file:${outside}/canary`, ` ${root}/file`]
    const folders = [folder, outside, `${folder}/`, `${root.toUpperCase()}/FILE`]
    return [
      ...afterRoot.map((rest) => root + rest),
      ...relativePaths,
      ...notPaths,
      ...folders,
      ...words('/ // /. /.. /...'),
    ]
  }

  #routesTo(paths: readonly string[]): string[] {
    return paths.flatMap((path) => {
      const name = path.replaceAll('/', '_')
      this.#link(`to${name}`, path)
      this.#link(`far-to${name}`, `${'../'.repeat(20)}${path.slice(1)}`)
      const linked = [`${this.root}/links/to${name}`, `${this.root}/links/far-to${name}`]
      return [path, `${this.root}/dir${'/..'.repeat(20)}${path}`, ...linked]
    })
  }

  #link(name: string, target: string): void {
    symlinkSync(target, join(this.root, 'links', name))
  }
}

/** Files that discard what is written, or that would be created. */
export const CREATABLE = words(
  '/dev/null /dev/zero /dev/full /dev/shm/created-by-agent /run/created-by-agent /created-by-agent',
)
const SYSTEM = [
  words('/etc/passwd /etc/../etc/passwd /etc/hosts /dev/stdin /dev/stdout /dev/fd/0 /dev/tty'),
  words('/dev/random /proc/self/environ /proc/self/root/etc/passwd /proc/self/cwd/package.json'),
  words('/proc/self/fd/0 /proc/self/fd/1 /proc/self/mem /proc/1/environ /proc/kmsg /proc/version'),
  words('/proc/self/task/../environ /sys/kernel/notes'),
].flat()

function words(text: string): string[] {
  return text.split(' ')
}
