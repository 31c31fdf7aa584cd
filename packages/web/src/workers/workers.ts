// Starts the service worker. The hub's policy (Trusted Types) allows only the script address named here.

type Policy = { createScriptURL(address: string): string }
type PolicyFactory = { createPolicy(name: string, rules: Policy): Policy }

const SERVICE_WORKER = '/service-worker.js'

let policy: Policy | undefined

/** Available over HTTPS and on localhost. Everything but offline use and push works without it. */
export async function startServiceWorker(
  onFound: (registration: ServiceWorkerRegistration) => void,
): Promise<void> {
  try {
    const registration = await navigator.serviceWorker?.register(trustedScript(SERVICE_WORKER))
    if (!registration) return
    onFound(registration)
    registration.addEventListener('updatefound', () => onFound(registration))
  } catch {
    // The browser refuses, for example in a private window.
  }
}

/** The hub's content security policy allows one Trusted Types policy, with this name. */
function trustedScript(address: string): string {
  const { trustedTypes } = globalThis as { readonly trustedTypes?: PolicyFactory }
  policy ??= trustedTypes?.createPolicy('quayside', { createScriptURL })
  return policy?.createScriptURL(address) ?? address
}

function createScriptURL(address: string): string {
  if (address !== SERVICE_WORKER) throw new TypeError(`${address} is no script of this page.`)
  return address
}
