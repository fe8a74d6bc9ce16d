// A hundred calls on one core whose words and voice come from a vendor's streams, on loopback: whether every frame is on time, and
// what a call costs beside one with engines that compute nothing. The vendor's server is in this
// process, the calls are in another.
import { type Load, type LoadReport, leaveTheLoadAlone, loadCore, runLoad } from './call-load.ts'
import { openDeepgram } from './deepgram-server.ts'
import { watchHost } from './host-stalls.ts'
import { median, spread } from './rounds.ts'
import { printIfMain, type Row } from './row.ts'

const calls = 100
// Twice a frame would be heard as a gap.
const mostLateMs = 20
const load: Load = {
  of: 'calls',
  calls,
  engines: 'at-once',
  ahead: false,
  warmUpMs: 5_000,
  forMs: 15_000,
  everyGap: 1,
}
const rounds = 5

export async function measure(): Promise<Row[]> {
  await leaveTheLoadAlone()
  const server = await openDeepgram()
  const host = watchHost(loadCore)
  const ours: LoadReport[] = []
  const stubs: LoadReport[] = []
  for (let round = 0; round < rounds; round++) {
    ours.push(await host.undisturbed(() => runLoad({ ...load, vendorUrl: server.baseUrl })))
    stubs.push(await host.undisturbed(() => runLoad(load)))
  }
  host.close()
  await server.close()
  const [frames, framesOfStubs] = [ours.map(framesShare), stubs.map(framesShare)]
  const [late, lateOfStubs] = [ours.map(lateShare), stubs.map(lateShare)]
  const [cpu, cpuOfStubs] = [ours.map(cpuOfACall), stubs.map(cpuOfACall)]
  const more = median(late) - median(lateOfStubs)
  return [
    {
      claim: `${calls} calls with a vendor's streams on one core: frames sent, and more than ${mostLateMs} ms late`,
      measured: `${spread(frames, percent)}, ${spread(late, percent)}`,
      yardstick: `${spread(framesOfStubs, percent)}, ${spread(lateOfStubs, percent)} with engines that compute nothing; ${host.said()}`,
      ratio: `${more.toFixed(4)} more`,
      target: 'every frame on time',
      verdict: host.judge(median(frames) >= 0.999 && more <= 0.001),
    },
    {
      claim: `CPU of a call with a vendor's streams`,
      measured: spread(cpu, percent),
      yardstick: `${spread(cpuOfStubs, percent)} with engines that compute nothing`,
      ratio: `${(median(cpu) / median(cpuOfStubs)).toFixed(2)}×`,
      target: 'none',
      verdict: 'no target',
    },
  ]
}

const framesShare = (report: LoadReport): number => report.framesShare

const lateShare = ({ gapErrorsMs }: LoadReport): number =>
  gapErrorsMs.filter((errorMs) => errorMs > mostLateMs).length / Math.max(1, gapErrorsMs.length)

const cpuOfACall = ({ cpuShare }: LoadReport): number => cpuShare / calls

const percent = (share: number): string => `${(100 * share).toFixed(2)} %`

await printIfMain(import.meta.url, measure)
