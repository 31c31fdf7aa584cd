// The kinds of agents a hub knows: what they are, whether they work, their hub-wide settings and their sign-in.
import type {
  Authentication,
  CallInput,
  CallOutput,
  Extension,
  ExtensionDetail,
  Terminal,
} from '@quayside/protocol'
import type { Probe, SettingsSchema, SettingValue } from '@quayside/protocol/schemas'
import type { Abortable, Http } from './connection/http.js'

export type SignInOutcome = Authentication

/** The command line of a program that speaks ACP. */
export type NewAgent = Omit<CallInput<'extension/put'>, 'extensionId'>

type SettingsValues = CallOutput<'extension/settings'>['settings']

export class Agents {
  readonly #http: Http

  constructor(http: Http) {
    this.#http = http
  }

  async list(abortable?: Abortable): Promise<Extension[]> {
    return (await this.#http.call('GET /api/extensions', {}, abortable)).extensions as Extension[]
  }

  get(extensionId: string, abortable?: Abortable): Promise<ExtensionDetail> {
    return this.#http.call('GET /api/extensions/{extensionId}', { extensionId }, abortable)
  }

  /** Adds an agent of one's own, or changes it. */
  put(extensionId: string, agent: NewAgent): Promise<ExtensionDetail> {
    return this.#http.call('PUT /api/extensions/{extensionId}', { extensionId, ...agent })
  }

  /** Only one's own; its sessions can still be read. */
  remove(extensionId: string): Promise<void> {
    return this.#http.call('DELETE /api/extensions/{extensionId}', { extensionId })
  }

  /** Starts the agent once and reports whether it works. That can take a minute. */
  probe(extensionId: string, abortable?: Abortable): Promise<Probe> {
    return this.#http.call('POST /api/extensions/{extensionId}/probe', { extensionId }, abortable)
  }

  /** The settings its sessions have, as fields of a form. */
  settingsSchema(extensionId: string, abortable?: Abortable): Promise<SettingsSchema> {
    return this.#http.call(
      'GET /api/extensions/{extensionId}/settings_schema',
      { extensionId },
      abortable,
    )
  }

  /** The values for all of its sessions; of a secret only whether it is set. */
  async settings(extensionId: string, abortable?: Abortable): Promise<SettingsValues> {
    return (
      await this.#http.call(
        'GET /api/extensions/{extensionId}/settings',
        { extensionId },
        abortable,
      )
    ).settings
  }

  /** `null` removes a value; fields that are not named stay. */
  async changeSettings(
    extensionId: string,
    settings: Readonly<Record<string, SettingValue | null>>,
  ): Promise<SettingsValues> {
    const input = { extensionId, settings }
    return (await this.#http.call('PUT /api/extensions/{extensionId}/settings', input)).settings
  }

  /** A person at a browser may need minutes, longer than a request lasts: the hub says so, and asking again joins. */
  async authenticate(
    extensionId: string,
    methodId: string,
    abortable?: Abortable,
  ): Promise<SignInOutcome> {
    for (;;) {
      const input = { extensionId, methodId }
      const outcome = await this.#http.call(
        'POST /api/extensions/{extensionId}/authenticate',
        input,
        abortable,
      )
      if (outcome.authenticated || outcome.terminal) return outcome
    }
  }

  /** Opens a terminal that runs the command which installs it. */
  install(extensionId: string): Promise<Terminal> {
    return this.#http.call('POST /api/extensions/{extensionId}/install', { extensionId })
  }

  logout(extensionId: string): Promise<SignInOutcome> {
    return this.#http.call('POST /api/extensions/{extensionId}/logout', { extensionId })
  }
}
