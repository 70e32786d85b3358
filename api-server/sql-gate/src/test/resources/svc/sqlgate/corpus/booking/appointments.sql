-- Doctors, patients, appointments; slots must lie in working hours
CREATE TABLE doctors (id SERIAL PRIMARY KEY, full_name VARCHAR(100) NOT NULL, specialty VARCHAR(50));
CREATE TABLE patients (id SERIAL PRIMARY KEY, user_id UUID UNIQUE REFERENCES auth.users(id), birth_date DATE);
CREATE TABLE appointments (
    id SERIAL PRIMARY KEY,
    doctor_id INTEGER NOT NULL REFERENCES doctors(id),
    patient_id INTEGER NOT NULL REFERENCES patients(id),
    starts_at TIMESTAMP NOT NULL,
    duration INTERVAL NOT NULL DEFAULT '30 minutes',
    notes TEXT,
    CONSTRAINT on_the_quarter CHECK (EXTRACT(MINUTE FROM starts_at)::int % 15 = 0),
    CONSTRAINT working_hours CHECK (starts_at::time BETWEEN '08:00' AND '17:30')
);
CREATE UNIQUE INDEX one_per_slot ON appointments (doctor_id, starts_at);
ALTER TABLE appointments ENABLE ROW LEVEL SECURITY;
CREATE POLICY "Patients see their appointments" ON appointments FOR SELECT USING (
    patient_id IN (SELECT id FROM patients WHERE user_id = auth.uid())
);
INSERT INTO doctors (full_name, specialty) VALUES ('Dr. O''Neil', 'Cardiology'), ('Dr. Müller', NULL);
-- sign up 1 ada@example.com
INSERT INTO patients (user_id, birth_date) VALUES ('00000000-0000-4000-8000-000000000001', '1990-02-28');
INSERT INTO appointments (doctor_id, patient_id, starts_at) VALUES (1, 1, '2024-06-03 09:15');
-- expect as user 1: GET /appointments?select=starts_at,doctors(full_name) => 200 [{"starts_at":"2024-06-03T09:15:00","doctors":{"full_name":"Dr. O'Neil"}}]
-- expect as user 2: GET /appointments => 200 []
-- expect: insert into appointments (doctor_id, patient_id, starts_at) values (1, 1, '2024-06-03 09:15') => error 23505
-- expect: insert into appointments (doctor_id, patient_id, starts_at) values (1, 1, '2024-06-03 09:10') => error 23514
-- expect: select age('2024-02-28', birth_date)::text from patients => "34 years"
