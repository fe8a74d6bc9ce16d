// A hundred calls on one core whose words and voice come from a vendor's streams, on loopback: whether every frame is on time, and
// what a call costs beside one with engines that compute nothing. The vendor's server is in this
// process, the calls are in another.
import { type Load, type LoadReport, runLoad } from './call-load.ts'
import { openDeepgram } from './deepgram-server.ts'
import { printIfMain, type Row, verdict } from './row.ts'

const calls = 100
// Twice a frame would be heard as a gap.
const mostLateMs = 20
const load: Load = {
  ...{ of: 'calls', calls, engines: 'at-once', ahead: false },
  ...{ warmUpMs: 5_000, forMs: 15_000, everyGap: 1 },
}
export async function measure(): Promise<Row[]> {
  const server = await openDeepgram()
  const ours = await runLoad({ ...load, vendorUrl: server.baseUrl })
  await server.close()
  const stubs = await runLoad(load)
  const [share, own] = [lateShare(ours), lateShare(stubs)]
  const ratio = ours.cpuShare / stubs.cpuShare
  return [
    {
      claim: `${calls} calls with a vendor's streams on one core: frames sent, and more than ${mostLateMs} ms late`,
      measured: `${percent(ours.framesShare)}, ${percent(share)}`,
      yardstick: `${percent(stubs.framesShare)}, ${percent(own)} with engines that compute nothing`,
      ratio: `${(share - own).toFixed(4)} more`,
      target: 'every frame on time',
      verdict: verdict(ours.framesShare >= 0.999 && share <= own + 0.001),
    },
    {
      claim: `CPU of a call with a vendor's streams`,
      measured: percent(ours.cpuShare / calls),
      yardstick: `${percent(stubs.cpuShare / calls)} with engines that compute nothing`,
      ratio: `${ratio.toFixed(2)}×`,
      target: 'none',
      verdict: 'no target',
    },
  ]
}

const lateShare = ({ gapErrorsMs }: LoadReport): number =>
  gapErrorsMs.filter((errorMs) => errorMs > mostLateMs).length / Math.max(1, gapErrorsMs.length)

const percent = (share: number): string => `${(100 * share).toFixed(2)} %`

await printIfMain(import.meta.url, measure)
