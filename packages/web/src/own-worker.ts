// The service worker, under the page's own rule that scripts are loaded only from addresses somebody has vouched for.
type Policy = { createScriptURL(address: string): string }
type PolicyFactory = { createPolicy(name: string, rules: Policy): Policy }

const WORKER = '/service-worker.js'

/** Only over HTTPS or on localhost; everything works without it, except offline and from notifications. */
export async function startOwnWorker(
  onFound: (registration: ServiceWorkerRegistration) => void,
): Promise<void> {
  const { trustedTypes } = globalThis as { readonly trustedTypes?: PolicyFactory }
  // The hub's policy allows one maker of script addresses, by this name, and it makes one address.
  const policy = trustedTypes?.createPolicy('quayside', { createScriptURL: () => WORKER })
  const address = policy?.createScriptURL(WORKER) ?? WORKER
  try {
    const registration = await navigator.serviceWorker?.register(address)
    if (!registration) return
    onFound(registration)
    registration.addEventListener('updatefound', () => onFound(registration))
  } catch {
    // A browser that does not want it, as in a private window.
  }
}
