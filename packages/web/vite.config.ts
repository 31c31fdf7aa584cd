// Builds the web app to packages/web/dist, where the hub serves it; `npx vite packages/web` is for development.
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const hub = 'http://127.0.0.1:4444'

export default defineConfig({
  plugins: [react()],
  build: {
    target: 'es2023',
    sourcemap: true,
    // The hub's content security policy allows no inline script and no other origin.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  worker: { format: 'es' },
  server: {
    proxy: { '/api': hub, '/media': hub, '/ws': { target: hub, ws: true } },
  },
})
