// The permissions an agent of one session waits for. Each gets exactly one outcome; the first valid answer wins.
import type { EventBody, EventData, PendingPermission, PermissionOutcome } from '@quayside/protocol'
import { v7 as uuidv7 } from 'uuid'
import type { PermissionRequest } from '../agents/agent-process.js'
import { HubError } from '../errors.js'

type Resolution = EventData['permission.resolved']
type Open = {
  readonly permission: PendingPermission
  readonly settle: (outcome: PermissionOutcome) => void
  readonly timer: NodeJS.Timeout
}

const CANCELLED: PermissionOutcome = { outcome: 'cancelled' }

export class PendingPermissions {
  readonly #append: (body: EventBody) => Promise<unknown>
  readonly #timeoutMs: number
  readonly #onTimeout: () => void
  readonly #open = new Map<string, Open>()
  readonly #resolved = new Map<string, Resolution>()

  constructor(options: {
    append: (body: EventBody) => Promise<unknown>
    timeoutMs: number
    onTimeout: () => void
  }) {
    this.#append = options.append
    this.#timeoutMs = options.timeoutMs
    this.#onTimeout = options.onTimeout
  }

  list(): PendingPermission[] {
    return [...this.#open.values()].map(({ permission }) => permission)
  }

  /** Asks everybody who watches and resolves with the one outcome, after it is committed. */
  ask(request: PermissionRequest, turnId: string | undefined): Promise<PermissionOutcome> {
    const permissionId = uuidv7()
    const turn = turnId === undefined ? {} : { turnId }
    const permission = { permissionId, ...turn, ...request }
    return new Promise((settle, reject) => {
      this.#open.set(permissionId, {
        permission: { ...permission, requestedAt: new Date().toISOString() },
        settle,
        timer: setTimeout(() => this.#expire(permissionId), this.#timeoutMs),
      })
      this.#append({ type: 'permission.requested', data: permission }).catch(reject)
    })
  }

  /** Throws `permission_not_pending` with the winning outcome when somebody was faster. */
  async answer(permissionId: string, outcome: PermissionOutcome, by: string): Promise<Resolution> {
    const open = this.#open.get(permissionId)
    if (open === undefined) throw this.#notOpen(permissionId)
    if (
      outcome.outcome === 'selected' &&
      !open.permission.options.some(({ optionId }) => optionId === outcome.optionId)
    )
      throw new HubError('unknown_option', {
        optionId: outcome.optionId,
        options: open.permission.options,
      })
    return this.#resolve(permissionId, { permissionId, outcome, reason: 'answered', by })
  }

  /** ACP asks for an answer to every open question before a cancelled turn may end. */
  async cancelAll(reason: Resolution['reason']): Promise<void> {
    await Promise.all(
      [...this.#open.keys()].map((permissionId) =>
        this.#resolve(permissionId, { permissionId, outcome: CANCELLED, reason }),
      ),
    )
  }

  /** Taken out of the open ones at once, so that of two answers in the same tick only one gets here. */
  async #resolve(permissionId: string, resolution: Resolution): Promise<Resolution> {
    const open = this.#open.get(permissionId)
    this.#open.delete(permissionId)
    clearTimeout(open?.timer)
    this.#resolved.set(permissionId, resolution)
    await this.#append({ type: 'permission.resolved', data: resolution })
    open?.settle(resolution.outcome)
    return resolution
  }

  #expire(permissionId: string): void {
    void this.#resolve(permissionId, { permissionId, outcome: CANCELLED, reason: 'timeout' }).then(
      this.#onTimeout,
      this.#onTimeout,
    )
  }

  #notOpen(permissionId: string): HubError {
    const resolution = this.#resolved.get(permissionId)
    return resolution === undefined
      ? new HubError('permission_not_found', { permissionId })
      : new HubError('permission_not_pending', { ...resolution })
  }
}
