/** The path of the Node.js 22 that tools/node pins, installed when it is missing. */
export function installNode22(): Promise<string>
