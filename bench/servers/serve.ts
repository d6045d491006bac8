import type { AddressInfo, Server } from 'node:net'

/** Serves on the loopback port that the bench chose. Ends with the bench, when stdin closes. */
export function serve(server: Server): void {
  server.listen(portArgument(), '127.0.0.1', () => {
    process.stderr.write(`serves ${(server.address() as AddressInfo).port}\n`)
  })
  endWithParent()
}

export const portArgument = () => Number(process.argv[2])

export function endWithParent(): void {
  process.stdin.on('end', () => process.exit()).resume()
  process.on('SIGTERM', () => process.exit())
}
