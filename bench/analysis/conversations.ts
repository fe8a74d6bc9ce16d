// Small conversations and what is true of them. The first list is what the built-in analysis was tuned by. The second was
// written when the tuning was done, and is only reported on.
//
//   'a: …' the agent, 'u: …' the caller, separated by ' | '
//   'name:type:description'  a value to extract     'mood'  the caller's sentiment
//   '!what'                  a disposition          '?question'  a yes-or-no question of a rubric
//
// null: nobody can tell from the words, so whatever is stated is false. A list: each of them is right.

export type Truth = string | number | boolean | null | readonly (string | number | boolean)[]

export interface SampleConversation {
  readonly talk: string
  readonly truths: Readonly<Record<string, Truth>>
}

const said = (talk: string, truths: SampleConversation['truths']): SampleConversation => ({ talk, truths })

const booked = 'booked:boolean:whether an appointment was booked'
const callback = 'wants_callback:boolean:whether the caller wants to be called back'
const interested = 'interested:boolean:whether the caller is interested in the offer'

export const tunedBy: readonly SampleConversation[] = [
  said(
    'a: Maple Dental, how can I help? | u: I need a cleaning. | a: I have Tuesday at three. Does that work? | u: Yes, that works. | a: You are booked for Tuesday at three. Goodbye. | u: Bye.',
    {
      [booked]: true,
      mood: 'neutral',
      '!an appointment was made': true,
      '?Did the agent say goodbye?': true,
    },
  ),
  said(
    'a: Maple Dental, how can I help? | u: Do you have anything on Monday? | a: I am sorry, Monday is full. Shall I book Wednesday? | u: No, then I will try somewhere else. | a: All right, goodbye.',
    { [booked]: false, mood: ['neutral', 'negative'], '!an appointment was made': false },
  ),
  said(
    'a: Hello, this is Ava. | u: Ask not what your country can do for you, ask what you can do for your country. | a: How can I help? | u: My fellow citizens of the world, ask not what America will do for you, but what together we can do for the freedom of man.',
    { mood: ['neutral'], [booked]: null, [callback]: null },
  ),
  said(
    'a: Hello? | u: We observe today not a victory of party but a celebration of freedom, symbolizing an end as well as a beginning. | u: We dare not tempt them with weakness.',
    { mood: ['neutral'], [interested]: null },
  ),
  said(
    'a: Can I book you in for Friday? | u: Hmm, let me think about it and call you again. | a: Of course.',
    { [booked]: false, '!an appointment was made': false },
  ),
  said('a: Is there anything else? | u: No, that is all, thank you. | a: Goodbye.', {
    [booked]: null,
    mood: 'neutral',
    '!the caller complained': false,
  }),
  said('a: Would you like our newsletter? | u: No thank you, I am not interested. | a: All right.', {
    [interested]: false,
    '!the caller wants the newsletter': false,
    mood: 'neutral',
  }),
  said(
    'a: We have a new plan for ten dollars. Are you interested? | u: Yes, tell me more. | a: It has unlimited calls.',
    { [interested]: true, mood: ['neutral', 'positive'] },
  ),
  said(
    'a: What is your name? | u: Maria Lopez. | a: And your phone number? | u: five five five oh one two three four',
    { 'customer_name:string:': 'Maria Lopez', 'phone_number:string:': '55501234', 'email:email:': null },
  ),
  said('a: What is your name? | u: I would rather not say. | a: No problem.', {
    'customer_name:string:': null,
    mood: 'neutral',
  }),
  said(
    'a: How many people will come? | u: There were six but now we are four. | a: A table for four, then.',
    { 'party_size:integer:how many people come': 4 },
  ),
  said('a: How many guests? | u: I do not know yet, maybe six or eight.', {
    'party_size:integer:how many guests come': null,
  }),
  said(
    'a: When would you like to come? | u: Not on Tuesday, I am away. | a: And Thursday? | u: Thursday is good.',
    { 'day:date:the day of the appointment': '2026-11-19' },
  ),
  said('a: When would you like to come? | u: Tomorrow at noon. | a: Tomorrow at noon it is.', {
    'day:date:the day of the appointment': '2026-11-16',
    '!an appointment was made': [true],
  }),
  said(
    'a: Your bill of eighty dollars is overdue. Will you pay this week? | u: I will pay on Friday, I promise. | a: Thank you.',
    { '!the caller promised to pay': true, 'amount:amount:what the caller owes': 80, mood: 'neutral' },
  ),
  said(
    'a: Your bill of eighty dollars is overdue. | u: I have already paid that last month! This is ridiculous. | a: I will look into it.',
    { '!the caller promised to pay': false, mood: 'negative' },
  ),
  said('a: How was your stay? | u: It was wonderful, the staff were so friendly. | a: I am glad.', {
    mood: 'positive',
    '!the guest complained': false,
  }),
  said('a: How was your stay? | u: Terrible. The room was dirty and nobody helped us. | a: I am so sorry.', {
    mood: 'negative',
    '!the guest complained about the room': [true],
  }),
  said('a: How was your stay? | u: Great, just great, three hours without water. | a: I am sorry.', {
    mood: 'negative',
  }),
  said('a: How was the food? | u: My husband loved it, I thought it was awful.', {
    mood: ['negative', 'neutral'],
  }),
  said('a: From one to ten, how likely are you to recommend us? | u: I would say an eight.', {
    'rating:number:how likely the caller is to recommend us': 8,
    mood: 'neutral',
  }),
  said(
    'a: From one to ten, how satisfied are you? | u: It used to be a nine, these days it is a four at best.',
    { 'rating:number:how satisfied the caller is': 4, mood: ['negative', 'neutral'] },
  ),
  said('a: Hello, am I speaking to Mr Smith? | u: No, you have the wrong number. | a: I am sorry.', {
    '!it was a wrong number': true,
    [interested]: null,
    mood: 'neutral',
  }),
  said('a: Hello, am I speaking to Mr Smith? | u: Yes, speaking. What is it about?', {
    '!it was a wrong number': false,
  }),
  said('a: Shall we call you back tomorrow? | u: Yes please, after five. | a: We will.', {
    [callback]: true,
  }),
  said('a: Shall we call you back tomorrow? | u: That is not necessary.', { [callback]: false }),
  said('a: Do you want to keep the appointment on Monday? | u: No, please cancel it. | a: It is cancelled.', {
    '!the appointment was cancelled': true,
    [booked]: null,
    'keeps_appointment:boolean:whether the caller keeps the appointment': false,
  }),
  said('a: Do you want to keep the appointment on Monday? | u: Of course, see you then.', {
    '!the appointment was cancelled': false,
    'keeps_appointment:boolean:whether the caller keeps the appointment': true,
  }),
  said(
    'a: What is your e-mail address? | u: ada at example dot org. | a: ada at example dot org, is that right? | u: Yes.',
    { 'email:email:': 'ada@example.org' },
  ),
  said('a: What is your e-mail address? | u: I do not have one.', {
    'email:email:': null,
    'customer_name:string:': null,
  }),
  said(
    'a: May I have your order number? | u: It is four seven one one. | a: Your order is on its way and arrives tomorrow. | u: Perfect, thank you so much!',
    { 'order_number:number:the number of the order': 4711, mood: ['positive', 'neutral'] },
  ),
  said(
    'a: May I have your order number? | u: I do not have it with me. | a: Then I cannot find it. | u: That is annoying.',
    { 'order_number:number:the number of the order': null, mood: 'negative' },
  ),
  said(
    'a: You have reached the voicemail of John. Please leave a message. | u: Hi John, it is Kate. Call me back when you can.',
    { [booked]: null, 'customer_name:string:name of the caller': ['Kate'] },
  ),
  said(
    'a: How can I help? | u: Your technician never showed up, and this is the third time. I want my money back.',
    { mood: 'negative', '!the caller wants a refund': true },
  ),
  said(
    'a: How can I help? | u: Can I get a refund if I do not like it? | a: Within thirty days, yes. | u: Good, then I will order one.',
    { '!the caller wants a refund': false, mood: ['neutral', 'positive'] },
  ),
  said('a: Do you smoke? | u: I used to, but I stopped five years ago.', {
    'smoker:boolean:whether the patient smokes': false,
  }),
  said('a: Do you smoke? | u: Only at parties.', { 'smoker:boolean:whether the patient smokes': [true] }),
  said('a: Do you have any allergies? | u: Penicillin, and nuts.', {
    'allergies:string:what the patient is allergic to': ['Penicillin, and nuts'],
    'has_allergies:boolean:whether the patient has allergies': [true],
  }),
  said('a: Do you have any allergies? | u: Not that I know of.', {
    'has_allergies:boolean:whether the patient has allergies': false,
  }),
  said(
    'a: Did the update solve the problem? | u: No, it still crashes every day. I am really frustrated. | a: I am sorry to hear that.',
    { 'solved:boolean:whether the problem was solved': false, mood: 'negative' },
  ),
  said(
    'a: Did the update solve the problem? | u: It did, everything works now. Thanks! | a: Glad to hear it.',
    { 'solved:boolean:whether the problem was solved': true, mood: ['positive', 'neutral'] },
  ),
  said('a: Did the update solve the problem? | u: I have not tried it yet.', {
    'solved:boolean:whether the problem was solved': null,
    mood: 'neutral',
  }),
  said('a: What is your budget? | u: Between two and three hundred dollars.', {
    'budget:amount:what the caller wants to spend': null,
  }),
  said('a: What is your budget? | u: At most five hundred dollars.', {
    'budget:amount:what the caller wants to spend': 500,
  }),
  said('a: Hello, how can I help? | u: Can I speak to a human please? | a: I will connect you.', {
    '!the caller asked for a person': true,
    mood: 'neutral',
    '?Did the agent greet the caller?': true,
  }),
  said(
    'a: Name and date of birth, please. | u: Why do you need that? | a: To find your record. | u: I do not want to give it.',
    { 'customer_name:string:': null, 'birth:date:the date of birth': null, mood: ['neutral', 'negative'] },
  ),
  said('a: Where shall we deliver it? | u: To twelve Baker Street. | a: When? | u: This Saturday.', {
    'address:string:where to deliver': 'To twelve Baker Street',
    'day:date:the day of the delivery': '2026-11-21',
  }),
  said(
    'a: Where shall we deliver it? | u: Sorry, what did you say? | a: What is the address? | u: I will call again later.',
    { 'address:string:where to deliver': null, [callback]: null },
  ),
  said('a: Are you the owner of the house? | u: My wife is. | a: I see.', {
    'is_owner:boolean:whether the caller owns the house': false,
  }),
  said('a: Are you the owner of the house? | u: Yes I am.', {
    'is_owner:boolean:whether the caller owns the house': true,
    mood: 'neutral',
  }),
  said(
    'a: Shall I put you down for the trial? | u: Is it free? | a: For a month. | u: Okay, go ahead. | a: Done, you are in.',
    { 'trial:boolean:whether the caller takes the trial': true, [interested]: [true] },
  ),
  said('a: Shall I put you down for the trial? | u: Is it free? | a: No, ten dollars. | u: Then no.', {
    'trial:boolean:whether the caller takes the trial': false,
  }),
  said(
    'a: The weather today is sunny with a light breeze. | u: Good morning and welcome to the six o’clock news. Great joy in Paris as the festival opens.',
    { mood: ['neutral'], [interested]: null },
  ),
  said('a: Hello? | u: Once upon a time there was a happy king who loved his beautiful garden.', {
    mood: ['neutral'],
    'customer_name:string:name of the caller': null,
  }),
  said(
    'a: Your appointment is on Monday at ten. Is that right? | u: No, it is on Tuesday. | a: Tuesday at ten. Is that right? | u: Yes.',
    { 'day:date:the day of the appointment': '2026-11-17' },
  ),
  said(
    'a: So your name is Bob and the day is Friday. Is that right? | u: Yes, exactly. | a: Thank you, Bob.',
    { 'customer_name:string:': 'Bob', 'day:date:the day': '2026-11-20' },
  ),
  said(
    'a: How did you hear about us? | u: From a friend. | a: Lovely. | u: She said you were terrible at first but fine now.',
    { 'source:string:how the caller heard about us': ['From a friend'], mood: ['neutral', 'positive'] },
  ),
  said('a: Is this a good time? | u: Not really, I am driving. | a: I will call tomorrow then. | u: Fine.', {
    '!the caller had no time': [true],
    mood: 'neutral',
    'good_time:boolean:whether it was a good time': false,
  }),
  said('a: Do you agree to the terms? | u: I suppose so. | a: I take that as a yes.', {
    'agrees:boolean:whether the caller agrees to the terms': [true],
  }),
  said('a: Do you agree to the terms? | u: It depends on the price.', {
    'agrees:boolean:whether the caller agrees to the terms': null,
  }),
  said(
    'a: Please stop me if you have questions. Our hours are nine to five. | u: Mm-hm. | a: Anything else? | u: Nope.',
    { [interested]: null, [booked]: null, mood: 'neutral', '?Did the agent tell the opening hours?': [true] },
  ),
  said(
    'a: Good morning, Acme support. | u: I love your product but this bug is driving me crazy, it is the worst. | a: Let me see.',
    {
      mood: ['negative'],
      '?Did the agent greet the caller?': true,
      '?Did the agent ask for the name of the caller?': false,
    },
  ),
  said(
    'a: Good afternoon, may I have your name? | u: John. | a: Thank you, John. This call is recorded. Have a nice day, goodbye.',
    {
      '?Did the agent ask for the name of the caller?': true,
      '?Did the agent say that the call is recorded?': true,
      '?Did the agent say goodbye?': true,
      '?Did the agent solve the problem?': null,
    },
  ),
  said('a: Yes? | u: I ordered a lamp. | a: And? | u: It is broken. | a: Not my problem.', {
    '?Was the agent polite?': [false],
    '?Did the agent greet the caller?': false,
    '!the caller received a broken lamp': [true],
    mood: ['neutral', 'negative'],
  }),
  said(
    'a: Shall I book the table for seven? | u: Yes. | a: I am afraid seven is taken. Eight? | u: Forget it.',
    {
      [booked]: false,
      'booking_made:boolean:whether a table was booked': false,
      mood: ['negative', 'neutral'],
    },
  ),
  said(
    'a: Shall I book the table for seven? | u: Make it eight, please. | a: Your table for eight is confirmed. | u: Thanks.',
    { 'booking_made:boolean:whether a table was booked': true, mood: 'neutral' },
  ),
  said('a: Have you been here before? | u: Yes, twice. | a: Would you like to book again? | u: Not today.', {
    'visited_before:boolean:whether the caller has been here before': true,
    [booked]: false,
  }),
  said('a: Have you been here before? | u: I do not think so. | a: Welcome then.', {
    'visited_before:boolean:whether the caller has been here before': [false],
  }),
  said(
    'a: Green Garden Restaurant, good evening. | u: A table for two on Saturday, please. | a: At seven or at eight? | u: Eight. | a: I have booked a table for two on Saturday at eight. | u: Lovely, bye.',
    {
      'booked:boolean:whether a table was booked': true,
      'day:date:the day of the booking': '2026-11-21',
      mood: ['neutral', 'positive'],
      '?Did the agent greet the caller?': true,
    },
  ),
  said(
    'a: Hair Studio, hello. | u: Is Anna in today? | a: She is off until Monday. Would you like to book with Tom? | u: No thanks, I will wait for Anna. | a: Of course, goodbye.',
    {
      [booked]: false,
      '!the caller booked with Tom': false,
      mood: 'neutral',
      '?Did the agent say goodbye?': true,
    },
  ),
  said(
    'a: City Clinic. | u: I have to move my appointment from Monday. | a: Thursday at nine? | u: Yes, please. | a: You are now scheduled for Thursday at nine.',
    {
      'new_day:date:the new day of the appointment': '2026-11-19',
      '!the appointment was cancelled': false,
      mood: 'neutral',
    },
  ),
  said('a: Will you come to the event on Friday? | u: I might, if I get off work in time.', {
    'attends:boolean:whether the person comes to the event': null,
    mood: 'neutral',
  }),
  said('a: Will you come to the event on Friday? | u: Absolutely, count me in.', {
    'attends:boolean:whether the person comes to the event': true,
  }),
  said('a: Will you come to the event on Friday? | u: Sorry, I will be travelling.', {
    'attends:boolean:whether the person comes to the event': false,
    mood: 'neutral',
  }),
  said(
    'a: Hello? | u: Four score and seven years ago our fathers brought forth on this continent a new nation, conceived in liberty. | a: How can I help you? | u: We are met on a great battle field of that war.',
    { mood: ['neutral'], [callback]: null, 'customer_name:string:name of the caller': null },
  ),
  said(
    'a: Hello, this is the survey line. | u: It was the best of times, it was the worst of times, it was the age of wisdom.',
    { mood: ['neutral'], 'rating:number:how satisfied the caller is': null },
  ),
  said(
    'a: How do you rate our service from one to five? | u: Five. You were all so helpful and kind. | a: Thank you!',
    {
      'rating:number:how the caller rates the service': 5,
      mood: 'positive',
      '?Did the agent thank the caller?': true,
    },
  ),
  said(
    'a: How do you rate our service from one to five? | u: One, and only because there is no zero. I am furious. | a: I apologise.',
    {
      'rating:number:how the caller rates the service': 1,
      mood: 'negative',
      '?Did the agent apologise?': true,
    },
  ),
  said('a: How do you rate our service from one to five? | u: Somewhere between three and four.', {
    'rating:number:how the caller rates the service': null,
    mood: 'neutral',
  }),
  said(
    'a: Can I have your full name? | u: Sure, it is Peter Novak. | a: Thank you, Peter. And your e-mail? | u: peter dot novak at mail dot example.',
    { 'full_name:string:': 'Peter Novak', 'email:email:': ['peter.novak@mail.example'] },
  ),
  said('a: Can I have your full name? | u: Can I have yours first? | a: I am Ava. | u: Fine, goodbye Ava.', {
    'full_name:string:name of the caller': null,
    mood: ['neutral', 'negative'],
  }),
  said(
    'a: What is your customer number? | u: nine nine two oh four. | a: And your postcode? | u: I forgot it.',
    { 'customer_number:number:': 99204, 'postcode:string:the postcode': null },
  ),
  said('a: How old is the patient? | u: She turned seven in May.', {
    'age:number:the age of the patient': 7,
  }),
  said('a: How many rooms does the flat have? | u: Three, or four if you count the kitchen.', {
    'rooms:integer:how many rooms the flat has': null,
  }),
  said('a: How many licences do you need? | u: Twenty five. | a: For how many years? | u: Two.', {
    'licences:integer:how many licences are needed': 25,
    'years:integer:for how many years': 2,
  }),
  said(
    'a: The repair would cost one hundred and fifty dollars. Do you agree? | u: That is fine with me. | a: Then we will begin.',
    {
      'agrees:boolean:whether the customer agrees to the cost': true,
      'cost:amount:what the repair costs': 150,
    },
  ),
  said(
    'a: The repair would cost one hundred and fifty dollars. Do you agree? | u: That is far too expensive, no. | a: I understand.',
    { 'agrees:boolean:whether the customer agrees to the cost': false, mood: ['negative', 'neutral'] },
  ),
  said('a: Did you receive our letter? | u: Which letter do you mean? | a: The one from May.', {
    'received:boolean:whether the letter was received': null,
  }),
  said('a: Did you receive our letter? | u: Yes, it came yesterday. | a: Good.', {
    'received:boolean:whether the letter was received': true,
    mood: 'neutral',
  }),
  said(
    'a: Can we send somebody on Wednesday? | u: Wednesday is bad, come on Friday instead. | a: Friday it is.',
    { 'visit_day:date:the day of the visit': '2026-11-20', mood: 'neutral' },
  ),
  said(
    'a: Is your internet working again? | u: No, and I have been waiting for two weeks. | a: I am sorry.',
    { 'works:boolean:whether the internet works again': false, mood: 'negative' },
  ),
  said('a: Is your internet working again? | u: Yes, it is, you have been wonderful. | a: Our pleasure.', {
    'works:boolean:whether the internet works again': true,
    mood: 'positive',
  }),
  said('a: Would you recommend us? | u: My sister hates you, but I would.', {
    'recommends:boolean:whether the caller recommends us': [true],
    mood: ['neutral', 'positive'],
  }),
  said('a: Is there a pet in the house? | u: We had a dog, but he died last year.', {
    'has_pet:boolean:whether there is a pet in the house': false,
    mood: ['neutral', 'negative'],
  }),
  said(
    'a: May I record this call? | u: Yes. | a: Thank you. What is it about? | u: My parcel is late, that is all.',
    {
      'record:boolean:whether the call may be recorded': true,
      mood: 'neutral',
      '?Did the agent say that the call is recorded?': [true],
    },
  ),
  said(
    'a: Good day, are you interested in solar panels? | u: Not at the moment. | a: Thank you for your time.',
    {
      [interested]: false,
      '!the caller asked for an offer': [false],
      mood: 'neutral',
      '?Did the agent ask for an e-mail address?': false,
    },
  ),
  said('a: Shall I send you the offer? | u: Please do. | a: To which address? | u: The one you have.', {
    'wants_offer:boolean:whether the caller wants the offer sent': true,
    'address:string:the address': ['The one you have'],
  }),
  said('a: Do you live alone? | u: With my two cats, so yes.', {
    'lives_alone:boolean:whether the person lives alone': true,
    'cats:integer:how many cats there are': 2,
  }),
  said('a: Is this your own number? | u: It belongs to my mother.', {
    'own_number:boolean:whether it is the caller’s own number': false,
    mood: 'neutral',
  }),
  said(
    'a: What went wrong? | u: Nothing, everything is great, I only have a question. | a: Go ahead. | u: Do you open on Sundays?',
    { mood: ['positive', 'neutral'], '!the caller complained': [false] },
  ),
  said('a: Your subscription ends on Friday. Shall I renew it? | u: Let me talk to my boss first.', {
    'renewed:boolean:whether the subscription was renewed': [false],
    'end_day:date:the day on which the subscription ends': '2026-11-20',
    mood: 'neutral',
  }),
  said('a: Are you still looking for a flat? | u: We found one, thank God. | a: Congratulations.', {
    'looking:boolean:whether the caller still looks for a flat': false,
    mood: ['positive', 'neutral'],
  }),
  said('a: Did our driver arrive on time? | u: Twenty minutes late, and he was rude. | a: I apologise.', {
    'on_time:boolean:whether the driver arrived on time': false,
    mood: 'negative',
    '!the caller complained about the driver': [true],
  }),
  said('a: Did our driver arrive on time? | u: He did, thank you.', {
    'on_time:boolean:whether the driver arrived on time': true,
    mood: ['neutral', 'positive'],
  }),
  said(
    'a: Blue Bay Hotel, good morning. | u: I want to reserve a double room from the first of December. | a: I have reserved a double room for you from the first of December. | u: Thanks.',
    {
      'reserved:boolean:whether a room was reserved': true,
      mood: 'neutral',
      '?Did the agent greet the caller?': true,
      '?Did the agent say goodbye?': false,
    },
  ),
  said(
    'a: Blue Bay Hotel. | u: Do you have a room tonight? | a: We are full tonight, unfortunately. | u: Too bad, thank you.',
    {
      'reserved:boolean:whether a room was reserved': false,
      mood: ['neutral', 'negative'],
      '!the caller complained': [false],
    },
  ),
  said('a: May I schedule a visit for you? | u: Not yet, I have to ask my wife. | a: Call us any time.', {
    'visit_scheduled:boolean:whether a visit was scheduled': false,
    mood: 'neutral',
  }),
  said('a: Are you happy with your new phone? | u: Very happy, I love the camera. | a: Wonderful.', {
    'happy:boolean:whether the caller is happy with the phone': true,
    mood: 'positive',
  }),
  said(
    'a: Are you happy with your new phone? | u: The screen broke after one day. I am very disappointed. | a: I am sorry.',
    { 'happy:boolean:whether the caller is happy with the phone': false, mood: 'negative' },
  ),
  said('a: Are you happy with your new phone? | u: It does what it should.', {
    mood: ['neutral', 'positive'],
    '!the caller wants to return the phone': [false],
  }),
  said(
    'a: Hello? | u: Shall I compare thee to a summer’s day? Thou art more lovely and more temperate. | a: Excuse me?',
    { mood: ['neutral'], [interested]: null },
  ),
  said('a: Hello? | u: Breaking news. A terrible fire has destroyed a factory, nobody was hurt.', {
    mood: ['neutral'],
    [callback]: null,
  }),
  said('a: Hello? | u: And now the football. An excellent match with a happy ending for the home team.', {
    mood: ['neutral'],
    [booked]: null,
  }),
  said(
    'a: What is your date of travel? | u: The twentieth of December. | a: And the return? | u: Two weeks later.',
    { 'departure:date:the date of travel': '2026-12-20' },
  ),
  said('a: What is your date of travel? | u: We have not decided yet.', {
    'departure:date:the date of travel': null,
    mood: 'neutral',
  }),
  said('a: Which day suits you? | u: Any day but Monday.', {
    'day:date:the day that suits the caller': null,
  }),
  said('a: Which day suits you? | u: Next Wednesday would be perfect. | a: Wednesday, noted.', {
    'day:date:the day that suits the caller': '2026-11-18',
    mood: ['neutral', 'positive'],
  }),
  said('a: How many tickets? | u: Three adults and two children.', {
    'tickets:integer:how many tickets': [5],
  }),
  said('a: How many tickets? | u: Just one.', { 'tickets:integer:how many tickets': 1, mood: 'neutral' }),
  said('a: What is your booking code? | u: seven seven three one. | a: Thank you.', {
    'booking_code:number:': 7731,
  }),
  said('a: Could you tell me your surname? | u: Okafor. | a: And your first name? | u: Chidi.', {
    'surname:name:the surname': 'Okafor',
    mood: 'neutral',
  }),
  said('a: Could you tell me your name? | u: I already told your colleague. | a: I need it again.', {
    'customer_name:string:': null,
    mood: ['neutral', 'negative'],
  }),
  said('a: What is your e-mail? | u: info at acme dot example. | a: Got it.', {
    'email:email:': 'info@acme.example',
    mood: 'neutral',
  }),
  said('a: Did the engineer fix the boiler? | u: Yes, he did a great job. | a: Good to hear.', {
    'fixed:boolean:whether the boiler was fixed': true,
    mood: 'positive',
  }),
  said('a: Did the engineer fix the boiler? | u: He said he would come back on Monday.', {
    'fixed:boolean:whether the boiler was fixed': [false],
    'fixed_day:date:when the boiler was fixed': null,
  }),
  said(
    'a: Would you like to upgrade? | u: What does it cost? | a: Five dollars a month. | u: No, I will stay with what I have.',
    { 'upgrades:boolean:whether the caller upgrades': false, mood: 'neutral' },
  ),
  said('a: Would you like to upgrade? | u: Sure, why not. | a: Your plan is upgraded.', {
    'upgrades:boolean:whether the caller would like to upgrade': true,
  }),
  said(
    'a: Is the address still five Mill Lane? | u: No, we moved. | a: What is the new one? | u: Eight Hill Road.',
    {
      'address:string:the new address': 'Eight Hill Road',
      'moved:boolean:whether the caller has moved': [true],
    },
  ),
  said('a: Can you confirm that you are over eighteen? | u: I am twenty one.', {
    'adult:boolean:whether the caller is over eighteen': [true],
  }),
  said('a: Can you confirm that you are over eighteen? | u: Yes, I can. | a: Thank you.', {
    'adult:boolean:whether the caller is over eighteen': true,
    '?Did the agent thank the caller?': true,
  }),
  said('a: Do you want insurance with that? | u: I do not think I need it.', {
    'insurance:boolean:whether the caller wants insurance': [false],
    mood: 'neutral',
  }),
  said('a: Did anybody get hurt? | u: Thank God, no.', {
    'injured:boolean:whether anybody got hurt': false,
    mood: ['neutral', 'positive'],
  }),
  said('a: Who am I speaking to? | u: This is Laura Stein from Stein Logistics. | a: Hello Laura.', {
    'caller_name:string:': 'Laura Stein',
    '?Did the agent ask for the name of the caller?': true,
  }),
  said('a: How long have you been waiting? | u: An hour. This is unacceptable. | a: My apologies.', {
    mood: 'negative',
    '?Did the agent apologise?': true,
    '!the caller complained about waiting': [true],
  }),
  said('a: What do you owe them? | u: Around two thousand dollars, maybe more.', {
    'debt:amount:what the caller owes': [2000],
    mood: 'neutral',
  }),
  said('a: Your total is forty dollars. Card or cash? | u: Card. | a: It went through.', {
    'payment:string:how the caller pays': ['Card'],
    'paid:boolean:whether the payment went through': [true],
    mood: 'neutral',
  }),
  said(
    'a: Riverside Garage, good afternoon. | u: My brakes squeak. | a: I can see you on Monday at eight. Does that suit you? | u: Yes, it does. | a: Great, you are scheduled for Monday at eight. Have a nice day.',
    {
      'scheduled:boolean:whether an appointment was scheduled': true,
      mood: 'neutral',
      '?Did the agent say goodbye?': true,
      '?Did the agent greet the caller?': true,
    },
  ),
  said(
    'a: Riverside Garage. | u: How much are new tyres? | a: About four hundred. Shall I book you in? | u: No, I will look around first.',
    {
      'scheduled:boolean:whether an appointment was scheduled': false,
      mood: 'neutral',
      '!an appointment was made': [false],
    },
  ),
  said('a: Your order is ready. When will you collect it? | u: On Thursday after work. | a: See you then.', {
    'collection_day:date:when the order is collected': '2026-11-19',
    mood: 'neutral',
  }),
  said('a: Your order is ready. When will you collect it? | u: No idea, my car is broken.', {
    'collection_day:date:when the order is collected': null,
    mood: ['neutral', 'negative'],
  }),
  said(
    'a: How satisfied were you with the course? | u: It was excellent, I learned a lot. | a: That is good to hear.',
    { mood: 'positive', '!the caller complained': [false] },
  ),
  said('a: How satisfied were you with the course? | u: Honestly, it was a waste of time.', {
    mood: 'negative',
  }),
  said('a: How satisfied were you with the course? | u: It was okay.', {
    mood: ['neutral'],
    '!the caller wants a refund': [false],
  }),
  said('a: Hello? | u: The quick brown fox jumps over the lazy dog. Testing, one two three.', {
    mood: ['neutral'],
    [interested]: null,
    'amount:amount:what the caller owes': null,
  }),
  said('a: Hello? | u: Dearly beloved, we are gathered here on this wonderful occasion. | a: Who is this?', {
    mood: ['neutral'],
    [booked]: null,
  }),
  said('a: Would you like a reminder by text message? | u: Yes, please. | a: All right.', {
    'wants_reminder:boolean:whether the caller would like a reminder': true,
    mood: 'neutral',
  }),
  said('a: Would you like a reminder by text message? | u: I never read those.', {
    'wants_reminder:boolean:whether the caller would like a reminder': [false],
    mood: 'neutral',
  }),
  said('a: Would you like a reminder by text message? | u: Can you send it by e-mail?', {
    'wants_reminder:boolean:whether the caller would like a reminder by text message': null,
    mood: 'neutral',
  }),
  said('a: How many children do you have? | u: Two. A boy and a girl.', {
    'children:integer:how many children the caller has': 2,
  }),
  said('a: How many children do you have? | u: None.', {
    'children:integer:how many children the caller has': 0,
    mood: 'neutral',
  }),
  said('a: How many employees are there? | u: Twelve last year, fifteen this year.', {
    'employees:integer:how many employees there are': 15,
  }),
  said('a: What is the policy number? | u: three eight eight one two. | a: I found it.', {
    'policy_number:number:': 38812,
    mood: 'neutral',
  }),
  said('a: May I know who is calling? | u: My name is Elif Kaya. | a: Hello, Elif.', {
    'caller_name:string:': 'Elif Kaya',
    '?Did the agent ask for the name of the caller?': true,
  }),
  said('a: May I know who is calling? | u: It is about the invoice.', { 'caller_name:string:': null }),
  said('a: Is everything working now? | u: Yes, thank you so much, you saved my day! | a: My pleasure.', {
    'works:boolean:whether everything is working': true,
    mood: ['positive'],
  }),
  said('a: Is everything working now? | u: No. It is worse than before.', {
    'works:boolean:whether everything is working': false,
    mood: 'negative',
  }),
  said('a: Do you own a car? | u: Not any more. | a: I see.', {
    'owns_car:boolean:whether the caller owns a car': false,
    mood: 'neutral',
  }),
  said('a: Do you own a car? | u: Two, actually.', {
    'owns_car:boolean:whether the caller owns a car': true,
    'cars:integer:how many cars the caller owns': 2,
  }),
  said('a: What is your monthly rent? | u: Nine hundred dollars. | a: Does that include heating? | u: No.', {
    'rent:amount:the monthly rent': 900,
    'heating:boolean:whether the rent includes heating': false,
  }),
  said(
    'a: We would like to offer you a discount of ten percent. Do you accept? | u: Yes, I accept. | a: Perfect.',
    { 'accepted:boolean:whether the caller accepts the discount': true, mood: ['neutral', 'positive'] },
  ),
  said(
    'a: We would like to offer you a discount of ten percent. Do you accept? | u: Make it twenty and we have a deal.',
    { 'accepted:boolean:whether the caller accepts the discount': null, mood: 'neutral' },
  ),
  said('a: Where do you live? | u: In Leeds. | a: And where do you work? | u: In York.', {
    'home:string:where the caller lives': 'In Leeds',
    'workplace:string:where the caller works': 'In York',
  }),
  said('a: Where do you live? | u: That is none of your business!', {
    'home:string:where the caller lives': null,
    mood: ['negative', 'neutral'],
  }),
  said('a: Was the parcel damaged? | u: The box was, the vase was not.', {
    'damaged:boolean:whether the parcel was damaged': [true],
  }),
  said('a: Was the parcel damaged? | u: No, it was fine. | a: Thank you for letting us know.', {
    'damaged:boolean:whether the parcel was damaged': false,
    mood: 'neutral',
    '?Did the agent thank the caller?': true,
  }),
  said('a: I am sorry for the delay. Can I offer you a voucher? | u: That would be nice, thanks.', {
    'voucher:boolean:whether the caller takes the voucher': [true],
    mood: ['neutral', 'positive'],
    '?Did the agent apologise?': true,
  }),
  said('a: Do you remember when you sent it? | u: I think it was on Friday.', {
    'sent_day:date:when the caller sent it': ['2026-11-13'],
  }),
  said(
    'a: What is your favourite colour? | u: Blue. | a: And your favourite food? | u: I hate such questions.',
    { 'colour:string:the favourite colour': 'Blue', mood: ['negative', 'neutral'] },
  ),
  said('a: Shall I cancel the contract? | u: Yes, cancel it. | a: The contract is cancelled.', {
    '!the contract was cancelled': true,
    mood: 'neutral',
    'cancelled:boolean:whether the contract was cancelled': true,
  }),
  said('a: Shall I cancel the contract? | u: No, leave it for now.', {
    '!the contract was cancelled': [false],
    'cancelled:boolean:whether the contract was cancelled': [false],
    mood: 'neutral',
  }),
]

export const reportedOn: readonly SampleConversation[] = [
  said(
    'a: Sunrise Yoga, hello. | u: Can I join the class tomorrow? | a: Yes, I have put you down. It is booked. | u: Thank you.',
    {
      'booked:boolean:whether a class was booked': true,
      mood: 'neutral',
      '?Did the agent greet the caller?': true,
    },
  ),
  said(
    'a: Sunrise Yoga, hello. | u: Do you give refunds? | a: Within a week. | u: I bought it a month ago. | a: Then I am afraid not.',
    {
      '!the caller got a refund': [false],
      'booked:boolean:whether a class was booked': null,
      mood: ['neutral', 'negative'],
    },
  ),
  said('a: Shall I book the flight at six? | u: Yes, book it. | a: Done, your flight is booked. Goodbye.', {
    'booked:boolean:whether a flight was booked': true,
    mood: 'neutral',
    '?Did the agent say goodbye?': true,
  }),
  said('a: Shall I book the flight at six? | u: No, that is too early for me. | a: There is nothing later.', {
    'booked:boolean:whether a flight was booked': false,
    mood: ['neutral', 'negative'],
  }),
  said('a: How did you like the museum? | u: We loved it. The guide was fantastic. | a: Thank you.', {
    mood: 'positive',
    '?Did the agent thank the caller?': true,
  }),
  said('a: How did you like the museum? | u: The guide was rude and the tickets are overpriced.', {
    mood: 'negative',
  }),
  said('a: How did you like the museum? | u: We went on Sunday. It rained.', {
    mood: ['neutral'],
    'visit:date:when they visited': null,
  }),
  said(
    'a: Hello? | u: Hear ye, hear ye. The king requests the presence of all happy subjects in the great hall.',
    { mood: ['neutral'], [callback]: null },
  ),
  said('a: Hello? | u: Mix the butter and the sugar, then add three eggs and beat well.', {
    mood: ['neutral'],
    'amount:amount:what the caller owes': null,
    [interested]: null,
  }),
  said('a: Do you need a receipt? | u: No, thanks. | a: Fine.', {
    'receipt:boolean:whether the caller needs a receipt': false,
    mood: 'neutral',
  }),
  said('a: Do you need a receipt? | u: Yes, by mail. | a: To which address? | u: Ten Park Avenue.', {
    'receipt:boolean:whether the caller needs a receipt': true,
    'address:string:the address': 'Ten Park Avenue',
  }),
  said('a: Do you need a receipt? | u: My accountant might.', {
    'receipt:boolean:whether the caller needs a receipt': null,
    mood: 'neutral',
  }),
  said('a: On which day were you born? | u: The third of March 1985.', {
    'birth:date:the date of birth': '1985-03-03',
  }),
  said('a: When can the painter start? | u: On Monday at seven. | a: Good.', {
    'start_day:date:when the painter can start': '2026-11-16',
    mood: 'neutral',
  }),
  said('a: When can the painter start? | u: As soon as you pay me.', {
    'start_day:date:when the painter can start': null,
  }),
  said('a: How many windows does the room have? | u: Four. | a: And doors? | u: One.', {
    'windows:integer:how many windows the room has': 4,
    mood: 'neutral',
  }),
  said('a: How many windows does the room have? | u: I have never counted them.', {
    'windows:integer:how many windows the room has': null,
  }),
  said('a: What is your membership number? | u: six six one nine. | a: And your name? | u: Samuel Osei.', {
    'membership_number:number:': 6619,
    'customer_name:string:': 'Samuel Osei',
  }),
  said('a: What is your name? | u: Is that really necessary? | a: It is. | u: Then write Smith.', {
    mood: ['neutral', 'negative'],
    'email:email:': null,
  }),
  said('a: How much did you pay for it? | u: Sixty dollars. | a: I will refund that.', {
    'price:amount:how much the caller paid': 60,
    mood: 'neutral',
  }),
  said('a: How much did you pay for it? | u: Nothing, it was a gift.', {
    'price:amount:how much the caller paid': [0],
    mood: 'neutral',
  }),
  said('a: Have you tried to restart it? | u: Yes, several times. | a: And? | u: It is still dead.', {
    'restarted:boolean:whether the caller has tried to restart it': true,
    mood: ['neutral', 'negative'],
  }),
  said('a: Have you tried to restart it? | u: No, how do I do that?', {
    'restarted:boolean:whether the caller has tried to restart it': [false],
    mood: 'neutral',
  }),
  said('a: Can you hear me now? | u: Yes, loud and clear. | a: Great.', {
    'hears:boolean:whether the caller can hear the agent': true,
    mood: ['neutral', 'positive'],
  }),
  said('a: Do you accept the appointment on Tuesday? | u: Tuesday is impossible.', {
    'accepts:boolean:whether the caller accepts the appointment': [false],
    mood: 'neutral',
  }),
  said(
    'a: Do you accept the appointment on Tuesday? | u: Yes, I accept it. | a: Thank you, see you on Tuesday.',
    { 'accepts:boolean:whether the caller accepts the appointment': true, mood: 'neutral' },
  ),
  said('a: Is the invoice correct? | u: No, it is not. You charged me twice. | a: I apologise.', {
    'correct:boolean:whether the invoice is correct': false,
    mood: ['negative', 'neutral'],
    '?Did the agent apologise?': true,
  }),
  said('a: Is the invoice correct? | u: As far as I can see.', {
    'correct:boolean:whether the invoice is correct': [true],
    mood: 'neutral',
  }),
  said('a: What brings you to us? | u: A friend told me you are the best dentist in town.', {
    mood: ['neutral', 'positive'],
    'source:string:who sent the caller': ['A friend told me you are the best dentist in town'],
  }),
  said('a: What is the problem? | u: My card was stolen and I am really worried.', {
    mood: ['negative'],
    '!the card was stolen': true,
  }),
  said('a: What is the problem? | u: There is none, I just wanted to say thank you.', {
    mood: ['positive', 'neutral'],
    '!the caller complained': [false],
  }),
  said('a: Do you have any pets? | u: A cat. | a: What is its name? | u: Minka.', {
    'pet_name:string:the name of the pet': 'Minka',
    'customer_name:string:the name of the caller': null,
  }),
]
