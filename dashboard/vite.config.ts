// How the dashboard is built: static files that the server gives out below /dashboard/, and the page at /talk.

import { linePath, mountPaths } from '@parley/contract/addresses'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const service = 'http://127.0.0.1:8080'

export default defineConfig({
  base: '/dashboard/',
  plugins: [react(), tailwindcss()],
  build: {
    rollupOptions: {
      input: ['index.html', 'talk.html', 'shared.html'],
      // Which plugin takes how long is no fault of whoever builds.
      checks: { bundlerTimings: false },
    },
  },
  // While developing, everything that is not the dashboard comes from a service started beside it.
  server: {
    proxy: {
      [mountPaths.dashboard]: service,
      '/docs': service,
      '/recordings': service,
      '^/shared/.*/data': service,
      [linePath]: { target: service, ws: true },
    },
  },
})
