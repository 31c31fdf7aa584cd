// Builds the web app to packages/web/dist, where the hub serves it; `npx vite packages/web` is for development.
import { createHash } from 'node:crypto'
import { appendFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

const hub = 'http://127.0.0.1:4444'

const { version } = JSON.parse(
  readFileSync(new URL('../hub/package.json', import.meta.url), 'utf8'),
) as { version: string }

/** Browsers detect a new service worker by its bytes, so every build marks it. */
function markWorker(): Plugin {
  return {
    name: 'quayside:mark-worker',
    apply: 'build',
    writeBundle({ dir = '' }, bundle) {
      const build = createHash('sha256').update(Object.keys(bundle).toSorted().join()).digest('hex')
      appendFileSync(join(dir, 'service-worker.js'), `// Build ${build.slice(0, 16)}\n`)
    },
  }
}

/** Only diagrams have a part of this size, loaded on request: compressing it fully takes as long as the rest of the build. */
const LARGE_BYTES = 1_000_000
const LARGE_QUALITY = 9

/** The hub serves these copies (hub/src/http/raw/page.ts), and its package has them alone. */
function compressAssets(): Plugin {
  return {
    name: 'quayside:compress-assets',
    apply: 'build',
    writeBundle({ dir = '' }) {
      const assets = join(dir, 'assets')
      for (const name of readdirSync(assets).filter((file) => /\.(js|css)$/.test(file))) {
        const content = readFileSync(join(assets, name))
        const isLarge = content.length > LARGE_BYTES
        const quality = isLarge ? LARGE_QUALITY : constants.BROTLI_MAX_QUALITY
        const params = { [constants.BROTLI_PARAM_QUALITY]: quality }
        writeFileSync(join(assets, `${name}.br`), brotliCompressSync(content, { params }))
      }
    },
  }
}

export default defineConfig({
  plugins: [react(), markWorker(), compressAssets()],
  define: { QUAYSIDE_VERSION: JSON.stringify(version) },
  build: {
    target: 'es2023',
    sourcemap: true,
    // The hub's content security policy allows no inline script and no other origin.
    assetsInlineLimit: 0,
    // build-size.test.ts limits the compressed size of the first load.
    chunkSizeWarningLimit: 1_000,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // Plugin timings are of no use to people who start the hub.
      checks: { bundlerTimings: false },
      output: {
        codeSplitting: {
          groups: [
            // The page waits for its catalogue (src/strings/strings.ts), so modules that a catalogue imports must not
            // be in the page's own chunk.
            {
              name: 'numbers',
              test: /src\/shared\/text\/(language|plural|sizes)\.ts$|notice-sentences\.js$/,
              priority: 1,
            },
            { name: 'page', tags: ['$initial'] },
            // The small modules that several lazy parts share: some thirty requests less when a session is opened. The
            // terminals import their emulator, which is large.
            {
              name: 'shared',
              test: /packages\/(web\/src\/(?!panels\/terminals\/)|client\/dist|protocol\/dist).*\.[jt]sx?$/,
              minShareCount: 2,
            },
          ],
        },
      },
    },
  },
  worker: { format: 'es' },
  server: {
    proxy: { '/api': hub, '/media': hub, '/ws': { target: hub, ws: true } },
  },
})
