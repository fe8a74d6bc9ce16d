// Disaster: 100,000 mutated packets of RTP, RTCP and SRTP into running calls. No crash, no growth, and the sound of the far end
// is as it is without them.
import { assaults, battle } from '../server/test/props/sip/hostile-rtp.ts'
import { grown, type Holdings, holdings, tolerance } from './holdings.ts'

const wanted = Number(process.argv[2] ?? 100_000)
// Frames of a call: with one call of every kind, so many make the 100,000 packets.
const framesEach = 260

let hostile = 0
let harmed = 0
let calls = 0
let halfway: Holdings | null = null
for (let seed = 1; hostile < wanted; seed++)
  for (const assault of assaults) {
    const peace = await battle({ ...assault, rate: 0 }, framesEach, 1)
    const war = await battle(assault, framesEach, seed * 1_000 + calls)
    hostile += war.hostile
    calls++
    const mustBeSame = assault.isEncrypted || !assault.inItsName
    const isSame =
      war.heard.length === peace.heard.length && war.heard.every((frame, i) => frame === peace.heard[i])
    if (mustBeSame && !isSame) {
      harmed++
      console.log(`The sound changed: ${JSON.stringify(assault)}, seed ${seed}.`)
    }
    if (hostile >= wanted / 2) halfway ??= await holdings()
  }
const growth = halfway ? grown(halfway, await holdings()) : ['nothing was measured']
console.log(`${hostile} hostile packets into ${calls} calls; the sound of the far end changed in ${harmed}.`)
console.log(growth.length === 0 ? `No growth in the second half (${tolerance}).` : growth.join('\n'))
if (harmed > 0 || growth.length > 0) process.exitCode = 1
