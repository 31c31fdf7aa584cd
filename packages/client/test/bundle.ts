// Bundles code for a browser as its users do, without writing anything.
import { fileURLToPath } from 'node:url'
import { build } from 'vite'

export async function bundle(entry: string, external: readonly string[] = []): Promise<string> {
  const result = await build({
    configFile: false,
    logLevel: 'silent',
    define: { 'process.env.NODE_ENV': '"production"' },
    build: {
      write: false,
      minify: true,
      target: 'es2023',
      modulePreload: { polyfill: false },
      rollupOptions: {
        input: fileURLToPath(new URL(entry, import.meta.url)),
        external: [...external],
        preserveEntrySignatures: 'strict',
      },
    },
  })
  const [bundled] = [result].flat()
  if (!bundled || !('output' in bundled)) throw new Error('Nothing was bundled.')
  return bundled.output.flatMap((part) => ('code' in part ? [part.code] : [])).join('\n')
}
