/** What must not outlive this process, whatever ends it; a finished thing takes itself out again. */
export const atExit = new Set<() => void>()

process.once('exit', () => {
  for (const end of atExit) end()
})
// Ending this way runs the above.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(130))
