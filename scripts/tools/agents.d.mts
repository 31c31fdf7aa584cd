/** The path of the Gemini CLI that tools/agents pins, installed when it is missing. */
export function installGemini(): Promise<string>
