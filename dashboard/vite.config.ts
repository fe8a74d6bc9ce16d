// How the dashboard is built: static files that the server gives out below /dashboard/.
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

export default defineConfig({
  base: '/dashboard/',
  plugins: [react(), tailwindcss()],
  // While developing, everything that is not the dashboard comes from a service started beside it.
  server: { proxy: { '/dashboard/api': 'http://127.0.0.1:8080', '/docs': 'http://127.0.0.1:8080' } },
})
