/** The options of playwright-core's `chromium.launch` for the Chromium that was found. */
export type ChromiumLaunch = {
  executablePath: string
  args: string[]
  env: Record<string, string>
}

export function findChromium(): Promise<ChromiumLaunch>
