import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

// The same cache as the gateway's. Enabled before anything else is loaded: without it a command takes three times as long.
enableCompileCache(fileURLToPath(new URL('../../node_modules/.cache/gateway', import.meta.url)))
const { runCommandLine } = await import('./command-line.ts')

// A reader that stops early, such as `head`, is not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1))
const { stdout, stderr, env: environment } = process
process.exitCode = await runCommandLine({ argv: process.argv.slice(2), environment, stdout, stderr })
