// The kinds of agents a hub knows: what they are, whether they work, their hub-wide settings and their sign-in.
import type { Extension, ExtensionDetail, Terminal } from '@quayside/protocol'
import type {
  ExtensionSettingsAnswer,
  Probe,
  SettingsSchema,
  SettingValue,
} from '@quayside/protocol/schemas'
import type { Abortable } from './client.js'
import type { Http } from './http.js'

export type SignInOutcome = {
  readonly authenticated: boolean
  /** Where a person has to go on, when the method wants a terminal. */
  readonly terminal?: Terminal
}

/** How a program is started that speaks ACP. */
export type NewAgent = {
  readonly name: string
  /** A program on the PATH of the hub's computer, or a path. */
  readonly command: string
  readonly args?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** Variables that the hub keeps as secrets. */
  readonly secrets?: Readonly<Record<string, string>>
}

export class Agents {
  readonly #http: Http

  constructor(http: Http) {
    this.#http = http
  }

  async list({ signal }: Abortable = {}): Promise<Extension[]> {
    return (await this.#http.get<{ extensions: Extension[] }>('/api/extensions', signal)).extensions
  }

  get(id: string, { signal }: Abortable = {}): Promise<ExtensionDetail> {
    return this.#http.get(pathOf(id), signal)
  }

  /** Adds an agent of one's own, or changes it. */
  put(id: string, agent: NewAgent): Promise<ExtensionDetail> {
    return this.#http.send(pathOf(id), { method: 'PUT', body: agent })
  }

  /** Only one's own; its sessions can still be read. */
  async remove(id: string): Promise<void> {
    await this.#http.send(pathOf(id), { method: 'DELETE' })
  }

  /** Starts the agent once and says whether it works. That can take a minute. */
  probe(id: string, { signal }: Abortable = {}): Promise<Probe> {
    return this.#http.post(pathOf(id, 'probe'), {}, signal)
  }

  /** The settings its sessions have, as fields of a form. */
  settingsSchema(id: string, { signal }: Abortable = {}): Promise<SettingsSchema> {
    return this.#http.get(pathOf(id, 'settings_schema'), signal)
  }

  /** What is set for all of its sessions; of a secret only whether it is set. */
  async settings(
    id: string,
    { signal }: Abortable = {},
  ): Promise<ExtensionSettingsAnswer['settings']> {
    return (await this.#http.get<ExtensionSettingsAnswer>(pathOf(id, 'settings'), signal)).settings
  }

  /** `null` takes a value away; what is not named stays. */
  async changeSettings(
    id: string,
    settings: Readonly<Record<string, SettingValue | null>>,
  ): Promise<ExtensionSettingsAnswer['settings']> {
    const request = { method: 'PUT', body: { settings } } as const
    return (await this.#http.send<ExtensionSettingsAnswer>(pathOf(id, 'settings'), request))
      .settings
  }

  /** A person at a browser may need minutes, longer than a request lasts: the hub says so, and asking again joins. */
  async authenticate(
    id: string,
    methodId: string,
    { signal }: Abortable = {},
  ): Promise<SignInOutcome> {
    const path = pathOf(id, 'authenticate')
    for (;;) {
      const outcome = await this.#http.post<SignInOutcome>(path, { methodId }, signal)
      if (outcome.authenticated || outcome.terminal) return outcome
    }
  }

  logout(id: string): Promise<SignInOutcome> {
    return this.#http.post(pathOf(id, 'logout'))
  }
}

function pathOf(id: string, what?: string): string {
  return `/api/extensions/${encodeURIComponent(id)}${what === undefined ? '' : `/${what}`}`
}
