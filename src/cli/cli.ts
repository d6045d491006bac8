import { loadQuickly } from '../ops/quick-loading.ts'

loadQuickly()
const { runCommandLine } = await import('./command-line.ts')

// A reader that stops early, such as `head`, is not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1))
const { stdout, stderr, env: environment } = process
process.exitCode = await runCommandLine({ argv: process.argv.slice(2), environment, stdout, stderr })
