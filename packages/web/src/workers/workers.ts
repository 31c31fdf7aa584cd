// The page's own workers, under its rule that scripts are loaded only from addresses somebody has vouched for.
// oxlint-disable-next-line import/default -- Vite gives the address of what it builds.
import diffWorker from './diff-worker.js?worker&url'

type Policy = { createScriptURL(address: string): string }
type PolicyFactory = { createPolicy(name: string, rules: Policy): Policy }

const SERVICE_WORKER = '/service-worker.js'
const OWN: readonly string[] = [SERVICE_WORKER, diffWorker]

let policy: Policy | undefined

/** Only over HTTPS or on localhost; everything works without it, except offline and from notifications. */
export async function startServiceWorker(
  onFound: (registration: ServiceWorkerRegistration) => void,
): Promise<void> {
  try {
    const registration = await navigator.serviceWorker?.register(trustedScript(SERVICE_WORKER))
    if (!registration) return
    onFound(registration)
    registration.addEventListener('updatefound', () => onFound(registration))
  } catch {
    // A browser that does not want it, as in a private window.
  }
}

/** Compares what is posted to it; see diff-worker.ts. */
export function startDiffWorker(): Worker {
  return new Worker(trustedScript(diffWorker), { type: 'module' })
}

/** The hub's policy allows one maker of script addresses, by this name, and it makes these addresses alone. */
function trustedScript(address: string): string {
  const { trustedTypes } = globalThis as { readonly trustedTypes?: PolicyFactory }
  policy ??= trustedTypes?.createPolicy('quayside', { createScriptURL })
  return policy?.createScriptURL(address) ?? address
}

function createScriptURL(address: string): string {
  if (!OWN.includes(address)) throw new TypeError(`${address} is no script of this page.`)
  return address
}
