// The types of run-folder.mjs.
export function homeIn(folder: string): string
export function openRunFolder(): string
export function closeRunFolder(folder: string, leaveMs?: number): Promise<string[]>
export function clear(folder: string): void
