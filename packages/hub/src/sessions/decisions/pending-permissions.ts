// The permissions for which one session's agent waits: people answer, unless a rule of the session does.
import type { EventBody, EventData, PendingPermission, PermissionOutcome } from '@quayside/protocol'
import { v7 as uuidv7 } from 'uuid'
import type { PermissionRequest } from '../../agents/connection/read-agent-messages.js'
import { HubError } from '../../errors.js'
import type { KnownCall } from './call-facts.js'
import { expiryOf, Pending, type PendingOptions } from './pending.js'
import type { PermissionRules } from './permission-rules.js'

type Resolution = EventData['permission.resolved']

const CANCELLED: PermissionOutcome = { outcome: 'cancelled' }

export type PendingPermissionsOptions = PendingOptions & {
  readonly policy: PermissionRules
  readonly timeoutMs: number
  /** After a timeout the turn is cancelled. */
  readonly onTimeout: () => void
}

/** `shown` is what people see; rules that change later judge `known` again. */
type OpenPermission = { readonly shown: PendingPermission; readonly known: KnownCall }

type Asked = {
  readonly turnId: string | undefined
  readonly signal: AbortSignal
  /** The merged call: people and rules decide about the same one. */
  readonly known: KnownCall
}

export class PendingPermissions {
  readonly #options: PendingPermissionsOptions
  readonly #pending: Pending<OpenPermission, Resolution>

  constructor(options: PendingPermissionsOptions) {
    this.#options = options
    this.#pending = new Pending(options)
  }

  get size(): number {
    return this.#pending.size
  }

  list(): PendingPermission[] {
    return this.#pending.list().map(({ shown }) => shown)
  }

  /** Resolves with the outcome after its commit. */
  async ask(
    request: PermissionRequest,
    { turnId, signal, known }: Asked,
  ): Promise<PermissionOutcome> {
    const permissionId = uuidv7()
    const turn = turnId === undefined ? {} : { turnId }
    const { timeoutMs, onTimeout } = this.#options
    const data = { permissionId, ...turn, ...request, ...expiryOf(timeoutMs) }
    const asked: EventBody = { type: 'permission.requested', data }
    const shown = { ...data, toolCall: known.call, requestedAt: new Date().toISOString() }
    const resolution = this.#pending.ask(
      permissionId,
      { item: { shown, known }, asked },
      {
        timeoutMs,
        signal,
        onTimeout: () => this.#giveUp(permissionId, 'timeout').finally(onTimeout),
        onAborted: (reason) => this.#giveUp(permissionId, reason),
      },
    )
    await this.#applyRules({ shown, known })
    return (await resolution).outcome
  }

  /** The rules have changed: answers the open permissions that they now decide. */
  async applyRules(): Promise<void> {
    await Promise.all(this.#pending.list().map((open) => this.#applyRules(open)))
  }

  async #applyRules({ shown, known }: OpenPermission): Promise<void> {
    const { permissionId, options } = shown
    const ruled = this.#options.policy.decide(known, options)
    if (ruled === undefined) return
    await this.#resolve({ permissionId, outcome: ruled.outcome, reason: 'rule', by: ruled.rule })
  }

  /** Throws `permission_not_pending` with the winning outcome when another answer came first. */
  async answer(permissionId: string, outcome: PermissionOutcome, by: string): Promise<Resolution> {
    const open = this.#pending.find(permissionId)
    if (open === undefined) throw this.#notOpen(permissionId)
    if (
      outcome.outcome === 'selected' &&
      !open.shown.options.some(({ optionId }) => optionId === outcome.optionId)
    )
      throw new HubError('unknown_option', {
        optionId: outcome.optionId,
        options: open.shown.options,
      })
    const resolution = { permissionId, outcome, reason: 'answered', by } as const
    if (!(await this.#resolve(resolution))) throw this.#notOpen(permissionId)
    return resolution
  }

  /** ACP requires an answer to every open request before a cancelled turn may end. */
  async cancelAll(reason: Resolution['reason']): Promise<void> {
    await Promise.all(this.#pending.ids().map((permissionId) => this.#giveUp(permissionId, reason)))
  }

  async #giveUp(permissionId: string, reason: Resolution['reason']): Promise<void> {
    await this.#resolve({ permissionId, outcome: CANCELLED, reason })
  }

  #resolve(resolution: Resolution): Promise<boolean> {
    const body: EventBody = { type: 'permission.resolved', data: resolution }
    return this.#pending.resolve(resolution.permissionId, resolution, body)
  }

  #notOpen(permissionId: string): HubError {
    const resolution = this.#pending.findResolution(permissionId)
    return resolution === undefined
      ? new HubError('permission_not_found', { permissionId })
      : new HubError('permission_not_pending', { ...resolution })
  }
}
