// The gender of a vendor's voice by its name, so that the voice that takes its place sounds alike.

// For Deepgram, ElevenLabs, OpenAI, Polly, Azure, Google and Cartesia, whose other known voices are female.
const male = new Set(
  `adam antoni arnold bill brian callum charlie chris daniel eric george harry liam roger will josh sam clyde drew
   angus arcas orion orpheus perseus zeus helios apollo aries atlas draco hermes hyperion janus jupiter mars neptune
   odysseus pluto saturn nestor alvaro sirio javier
   echo onyx fable ash ballad verse cedar
   matthew joey justin kevin stephen gregory russell geraint hans mathieu enrique miguel giorgio ricardo cristiano takumi
   guy davis jason tony andrew christopher eric ryan thomas conrad killian alonso henri jacob
   puck charon fenrir orus enceladus iapetus umbriel algieba algenib rasalgethi alnilam schedar achird zubenelgenubi
   sadachbia sadaltager`.split(/\s+/),
)

/** Understands "aura-2-orion-en", "Matthew" and "en-US-GuyNeural". Undefined if the name does not tell. */
export function genderOfVoice(name: string | undefined): 'male' | 'female' | undefined {
  if (!name) return undefined
  const words = name
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/)
  if (words.includes('female')) return 'female'
  return words.some((word) => word === 'male' || male.has(word)) ? 'male' : undefined
}
