// The embedder on real weights: questions find their answers, and nearer meanings are nearer.
import { afterAll, expect, it } from 'vitest'
import { modelsAtHand } from '../../../test/props/engines/models-at-hand.ts'
import { describeUnless } from '../../../test/props/unless.ts'
import { minilm } from '../models/catalogue.ts'
import { miniLmEmbedder } from './minilm.ts'

const { folder, absent } = await modelsAtHand(process.env.PARLEY_MODELS_DIR, minilm)

/** Each question shares few words with its answer. */
const pairs = [
  ['When do you open in the morning?', 'Our doors are unlocked at eight from Monday to Friday.'],
  ['How much is a haircut?', 'A cut and wash is thirty dollars for adults.'],
  ['Can I bring my dog?', 'Pets are welcome on the terrace but not inside.'],
  ['Where can I leave my car?', 'There is a free parking lot behind the building.'],
  ['I want my money back.', 'Refunds are paid within five working days to the card you used.'],
  ['My package has not arrived.', 'Late deliveries can be traced with the number in your shipping mail.'],
  ['I forgot my password.', 'Use the reset link on the sign-in page to choose a new one.'],
  ['Do you have anything without meat?', 'Half of the dishes on our menu are vegetarian.'],
  ['Is there internet for guests?', 'Wireless access is free; the code is printed on your key card.'],
  ['What time must I leave the room?', 'Check-out is until eleven on the day of departure.'],
  ['I would like to cancel my subscription.', 'You can end your plan at any time in the billing settings.'],
  ['Who treats children?', 'Our pediatrician sees young patients on Wednesdays.'],
  ['I have a toothache.', 'The dentist keeps two emergency appointments free every day.'],
  ['Does my health insurance pay for this?', 'We work with all major medical plans; bring your member card.'],
  ['How do I get there by train?', 'The nearest railway station is a ten minute walk away.'],
  ['Can I pay with a credit card?', 'We accept Visa, Mastercard and contactless payments.'],
  ['My screen is broken.', 'A cracked display is replaced within the day at our repair desk.'],
  ['How long is the guarantee?', 'All devices carry a two year warranty.'],
  ['Do you speak Spanish?', 'Several of our colleagues are native in Castilian and Portuguese.'],
  ['Is the place accessible by wheelchair?', 'A ramp and a lift lead to every floor.'],
  ['I need to change my appointment.', 'Bookings can be moved up to a day before without a fee.'],
  ['Are you hiring?', 'Open positions are listed on the careers page.'],
  [
    'What is the weather like for the boat trip?',
    'Tours are called off when strong wind or storms are forecast.',
  ],
  ['Can we celebrate a birthday there?', 'For parties we decorate a private room and bake a cake.'],
] as const

const dot = (a: Float32Array, b: Float32Array) =>
  a.reduce((sum, value, i) => sum + value * (b[i] as number), 0)

describeUnless(absent, 'the sentence embedder', () => {
  const embedder = miniLmEmbedder({ folder })
  afterAll(() => embedder.close())

  it('finds the answer to a question among others', async () => {
    const questions = await embedder.embed(pairs.map(([question]) => question))
    const answers = await embedder.embed(pairs.map(([, answer]) => answer))
    const found = questions.filter((question, place) => {
      const scores = answers.map((answer) => dot(question, answer))
      return scores.indexOf(Math.max(...scores)) === place
    })
    const begunMs = performance.now()
    for (const [question] of pairs) await embedder.embed([question])
    const eachMs = (performance.now() - begunMs) / pairs.length
    console.log(`embeddings: top-1 ${found.length} of ${pairs.length}; ${eachMs.toFixed(1)} ms a question`)
    expect(found.length).toBeGreaterThanOrEqual(20)
  })

  it.each([
    ['A man is eating food.', 'A man is eating a piece of bread.', 'A monkey is playing drums.'],
    ['The cat sits outside.', 'A kitten is lying in front of the house.', 'The new movie is awesome.'],
    ['I would like to book a table.', 'Can I make a reservation for dinner?', 'The girl is carrying a baby.'],
    ['Please call me back tomorrow.', 'Could you ring me again the next day?', 'He wrote a book about bees.'],
  ])('%j is closer to %j than to %j', async (text, near, far) => {
    const [a, b, c] = await embedder.embed([text, near, far])
    if (!a || !b || !c) throw new Error('three texts have three vectors')
    expect(dot(a, b)).toBeGreaterThan(dot(a, c) + 0.1)
  })

  it('yields unit vectors, independent of the batch', async () => {
    const [alone] = await embedder.embed(['Good morning.'])
    const among = await embedder.embed(['Something else entirely, and longer.', 'Good morning.', ''])
    for (const vector of among) expect(dot(vector, vector)).toBeCloseTo(1, 5)
    expect(among[1]).toEqual(alone)
    expect(alone?.length).toBe(384)
  })

  it('accepts text of any length, and none at all', async () => {
    expect((await embedder.embed(['word '.repeat(5_000)]))[0]?.length).toBe(384)
    expect(await embedder.embed([])).toEqual([])
  })

  it('drops a request that was aborted', async () => {
    const caller = new AbortController()
    const many = embedder.embed(Array(200).fill('How are you today?'), caller.signal)
    caller.abort(new Error('the call ended'))
    await expect(many).rejects.toThrow('the call ended')
  })
})
