import { setTimeout as delay } from 'node:timers/promises'
import { freePort } from '../http/free-port.ts'
import { type GatewayProcess, startGatewayProcess } from './gateway-process.ts'

export type KilledGateways = Awaited<ReturnType<typeof startGateways>>

/** Gateway processes on one store, each of which is started again on its port after a kill. */
export async function startGateways(environment: Readonly<Record<string, string>>, instances = 1) {
  const ports = await Promise.all(Array.from({ length: instances }, () => freePort()))
  const serving = new Map<number, GatewayProcess>()
  const start = async (port: number) => void serving.set(port, await startGatewayProcess({ environment, port }))

  await Promise.all(ports.map(start))
  return {
    /** Ports of those that serve now. */
    ports: () => [...serving.keys()],
    of: (port: number) => serving.get(port)!,
    /** Resolves with the port of one that serves. */
    async port(): Promise<number> {
      for (;;) {
        const [port] = serving.keys()
        if (port !== undefined) return port
        await delay(5)
      }
    },
    /** SIGKILL for some of them, at once; resolves when they serve again. */
    async kill(killed: readonly number[] = ports): Promise<void> {
      const gateways = killed.map((port) => serving.get(port)!)
      for (const port of killed) serving.delete(port)
      await Promise.all(gateways.map((gateway) => gateway.kill()))
      await Promise.all(killed.map(start))
    },
    /** SIGTERM for all of them; resolves with their exit codes. */
    async terminate(): Promise<(number | null)[]> {
      const gateways = [...serving.values()]
      serving.clear()
      return Promise.all(gateways.map((gateway) => gateway.terminate()))
    },
    async remove(): Promise<void> {
      await Promise.all([...serving.values()].map((gateway) => gateway.kill()))
      serving.clear()
    },
  }
}
